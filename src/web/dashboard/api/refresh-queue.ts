/**
 * Refetches the subjects of events, one read at a time. Events during a read wait for its end and share one further
 * read. If events cancelled and restarted the read, it would not end before they do. Each event would also cost the
 * relay a read of a whole home.
 */

/** The pause after a read during which events arrived, so that the next read covers more of them. */
const PAUSE_MS = 200;

export class RefreshQueue<Subject> {
  readonly #read: (subjects: ReadonlySet<Subject>) => Promise<unknown>;
  readonly #pause: (ms: number) => Promise<unknown>;
  #waiting = new Set<Subject>();
  #isReading = false;

  constructor(
    read: (subjects: ReadonlySet<Subject>) => Promise<unknown>,
    pause: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#read = read;
    this.#pause = pause;
  }

  add(subjects: readonly Subject[]): void {
    for (const subject of subjects) this.#waiting.add(subject);
    if (!this.#isReading && this.#waiting.size > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    try {
      for (;;) {
        const subjects = this.#waiting;
        this.#waiting = new Set();
        // The component that uses the query shows the error.
        await this.#read(subjects).catch(() => undefined);
        if (this.#waiting.size === 0) return;
        await this.#pause(PAUSE_MS);
      }
    } finally {
      this.#isReading = false;
    }
  }
}
