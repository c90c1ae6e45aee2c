/** How programs send an access token, to copy; the token itself is shown only once. */
import connectionsTexts from 'texts:connections';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';

export function TokenHeader() {
  const { tokenHeader } = useTexts(connectionsTexts);
  return <CopyField label={tokenHeader} value="Authorization: Bearer hc_…" />;
}
