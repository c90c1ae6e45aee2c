/** The part of React that this page uses; its packages bring no types. */
declare module 'react' {
  export type ReactNode = unknown;
  export interface FormEvent {
    readonly currentTarget: HTMLFormElement;
    preventDefault(): void;
  }
  export function createElement(type: unknown, props?: object | null, ...children: ReactNode[]): ReactNode;
  export function useState<T>(initial: T): [T, (next: T) => void];
}

declare module 'react-dom/client' {
  export function createRoot(container: Element): { render(node: import('react').ReactNode): void };
}
