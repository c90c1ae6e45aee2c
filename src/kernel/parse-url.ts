/**
 * `undefined` for what is no URL. Node 20's own `URL.canParse` refuses letters beyond ASCII ("https://bücher.example")
 * once it has been called some thousand times: V8 then hands it the string in another encoding.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
