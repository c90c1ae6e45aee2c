/** The home: its rooms with their accessories. */
import { useHouse } from '../../house/use-house.ts';
import { Page, Section } from '../../ui/page.tsx';

export function HomePage() {
  const { name, rooms, accessories } = useHouse();
  return (
    <Page title={name}>
      {rooms.map((room) => (
        <Section key={room.id} title={room.name}>
          <ul>
            {accessories
              .filter(({ roomId }) => roomId === room.id)
              .map((accessory) => (
                <li key={accessory.id}>{accessory.name}</li>
              ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
