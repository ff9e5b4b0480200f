interface Numbered {
  id: number
}

interface Options<Message extends Numbered> {
  /** What came after a message, in the order of the ids; `isAll` where nothing is left. */
  read: (after: number) => Promise<{ messages: readonly Message[]; isAll: boolean }>
  /** Shows messages: the same ones may come again, and a higher id before a lower one. */
  show: (messages: readonly Message[], knownTo: number) => void
  retryMs?: number
}

/**
 * Sees to it that no message is missed: what was sent while the connection was away, between two reads, or before the channel was joined is read by its id.
 * Events alone never say that nothing lies before them, so only reads move `knownTo`, and events while everything before them is known.
 */
export class CatchUp<Message extends Numbered> {
  readonly #options: Options<Message>
  /** Everything up to here is shown; undefined before the first messages are loaded. */
  #knownTo: number | undefined
  #lastHeard = 0
  #isJoined = false
  /** Nothing lies between what is known and the next event. */
  #isLive = false
  /** Grows with each connection, so that what an earlier one began says nothing about this one. */
  #turn = 0

  constructor(options: Options<Message>) {
    this.#options = options
  }

  /** The first messages are there, up to this one (0: there are none). Said again, it changes nothing. */
  loaded(knownTo: number): void {
    if (this.#knownTo !== undefined) return
    this.#knownTo = knownTo
    if (this.#isJoined) void this.#read()
  }

  /** Events come from now on, or no longer. */
  setJoined(isJoined: boolean): void {
    this.#isJoined = isJoined
    this.#isLive = false
    this.#turn += 1
    if (isJoined && this.#knownTo !== undefined) void this.#read()
  }

  hear(message: Message): void {
    this.#lastHeard = Math.max(this.#lastHeard, message.id)
    if (this.#knownTo === undefined) return
    if (this.#isLive) this.#knownTo = Math.max(this.#knownTo, message.id)
    this.#options.show([message], this.#knownTo)
  }

  async #read(): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    for (;;) {
      const found = await this.#options.read(this.#knownTo!).catch(() => undefined)
      if (turn !== this.#turn) return
      if (!found) {
        await new Promise((done) => setTimeout(done, this.#options.retryMs ?? 2_000))
        if (turn !== this.#turn) return
        continue
      }
      this.#knownTo = Math.max(this.#knownTo!, found.messages.at(-1)?.id ?? 0)
      if (found.isAll) {
        this.#isLive = true
        // Heard while it was read, in order and without a gap.
        this.#knownTo = Math.max(this.#knownTo, this.#lastHeard)
      }
      this.#options.show(found.messages, this.#knownTo)
      if (found.isAll) return
    }
  }
}
