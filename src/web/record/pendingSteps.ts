/**
 * Steps that were requested but have not been taken yet, because the next record is still loading; negative for
 * steps back. Kept outside the pages, so that no key press is lost between two of them on a slow connection.
 */
export class PendingSteps {
  #steps = 0
  /** The record that takes the steps, and the one that is still on screen until that one has loaded. */
  #taker: number | undefined
  #shown: number | undefined
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the steps that a record's page has to take. */
  of(id: number): number {
    return this.#taker === id ? this.#steps : 0
  }

  /** A record's page is shown; steps that were meant for another record are dropped. */
  arrive(id: number): void {
    if (this.#taker !== id) this.#steps = 0
    this.#taker = this.#shown = id
    this.#tell()
  }

  /** Requests a step from the record on screen, even if its page is already being left. */
  add(id: number, by: 1 | -1): void {
    if (this.#shown !== id) return
    this.#steps += by
    this.#tell()
  }

  /** Takes one of a record's steps; the remaining ones are taken by the next record's page. */
  take(id: number, next: number): void {
    if (this.#taker !== id) return
    this.#steps -= Math.sign(this.#steps)
    this.#taker = next
    this.#tell()
  }

  /** Drops the steps of a record without neighbors in their direction, unless more were requested since. */
  drop(id: number, steps: number): void {
    if (this.#taker !== id || this.#steps !== steps) return
    this.#steps = 0
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

export const pendingSteps = new PendingSteps()
