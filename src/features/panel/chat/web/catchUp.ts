interface Numbered {
  id: number
}

interface Options<Message extends Numbered> {
  /** Returns the messages after an ID, in ID order; `isAll` is true if no more follow. */
  read: (after: number) => Promise<{ messages: readonly Message[]; isAll: boolean }>
  /** Shows messages. The same messages can be passed again, and a higher ID can arrive before a lower one. */
  show: (messages: readonly Message[], knownTo: number) => void
  retryMs?: number
}

/**
 * Ensures that no message is missed. Messages sent while the client is disconnected, between reads, or before
 * it has joined the channel are read by ID. An event alone never proves that no message precedes it, so
 * `knownTo` advances only on reads, and on events while every earlier message is known.
 */
export class CatchUp<Message extends Numbered> {
  readonly #options: Options<Message>
  /** ID up to which all messages are shown; undefined before the first load. */
  #knownTo: number | undefined
  #lastHeard = 0
  #isJoined = false
  /** Whether the next event follows the known messages without a gap. */
  #isLive = false
  /**
   * Incremented on each connection and read, so that results from earlier connections and reads are ignored.
   */
  #generation = 0

  constructor(options: Options<Message>) {
    this.#options = options
  }

  /**
   * Called when the first messages have been loaded, with the ID of the newest (0 if there are none).
   * Idempotent.
   */
  setInitial(knownTo: number): void {
    if (this.#knownTo !== undefined) return
    this.#knownTo = knownTo
    if (this.#isJoined) void this.#read()
  }

  /** Called when events start or stop arriving. */
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
        // Events received while reading are in order and without gaps.
        this.#knownTo = Math.max(this.#knownTo, this.#lastHeard)
      }
      this.#options.show(found.messages, this.#knownTo)
      if (found.isAll) return
    }
  }
}
