interface Numbered {
  id: number
}

interface Options<Message extends Numbered> {
  /** Returns the messages after one, in id order; `isAll` if none are left. */
  read: (after: number) => Promise<{ messages: readonly Message[]; isAll: boolean }>
  /** Shows messages; the same ones may be repeated, and a higher id may precede a lower one. */
  show: (messages: readonly Message[], knownTo: number) => void
  retryMs?: number
}

/**
 * Ensures that no message is missed: those sent while disconnected, between two reads, or before the channel was joined are read by id.
 * An event alone never proves that nothing precedes it, so only reads move `knownTo`, and events while everything before them is known.
 */
export class CatchUp<Message extends Numbered> {
  readonly #options: Options<Message>
  /** Everything up to here is shown; undefined before the first load. */
  #knownTo: number | undefined
  #lastHeard = 0
  #isJoined = false
  /** Whether the next event follows without a gap. */
  #isLive = false
  /** Incremented by each connection and read, so that results of an earlier one are ignored. */
  #generation = 0

  constructor(options: Options<Message>) {
    this.#options = options
  }

  /** Called when the first messages are loaded, up to this one (0: there are none). Idempotent. */
  setInitial(knownTo: number): void {
    if (this.#knownTo !== undefined) return
    this.#knownTo = knownTo
    if (this.#isJoined) void this.#read()
  }

  /** Called when events start, or stop, arriving. */
  setJoined(isJoined: boolean): void {
    this.#isJoined = isJoined
    this.#isLive = false
    this.#generation += 1
    if (isJoined && this.#knownTo !== undefined) void this.#read()
  }

  receive(message: Message): void {
    this.#lastHeard = Math.max(this.#lastHeard, message.id)
    if (this.#knownTo === undefined) return
    if (this.#isLive) this.#knownTo = Math.max(this.#knownTo, message.id)
    this.#options.show([message], this.#knownTo)
  }

  async #read(): Promise<void> {
    this.#generation += 1
    const turn = this.#generation
    for (;;) {
      const found = await this.#options.read(this.#knownTo!).catch(() => undefined)
      if (turn !== this.#generation) return
      if (!found) {
        await new Promise((done) => setTimeout(done, this.#options.retryMs ?? 2_000))
        if (turn !== this.#generation) return
        continue
      }
      this.#knownTo = Math.max(this.#knownTo!, found.messages.at(-1)?.id ?? 0)
      if (found.isAll) {
        this.#isLive = true
        // Events heard while reading are in order and without a gap.
        this.#knownTo = Math.max(this.#knownTo, this.#lastHeard)
      }
      this.#options.show(found.messages, this.#knownTo)
      if (found.isAll) return
    }
  }
}
