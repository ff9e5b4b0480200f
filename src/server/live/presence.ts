/** A user who has a page open. */
export interface Person {
  id: number
  name: string
}

/** Another process that has been silent for this long is considered gone, along with everyone connected to it. */
const forgottenMs = 50_000

/** Interval at which a process re-announces who is present. */
const announceEveryMs = 20_000

/** Which of a process's users are in a channel, as the processes tell each other. */
export interface PresenceNotice {
  people: readonly Person[]
  /** Whether the other processes should report in return. */
  asks: boolean
}

/** Tells the members of channels who else is in them, no matter which process they are connected to. */
export class PresenceChannels {
  readonly #presence = new Presence()
  readonly #show: (channel: string, people: readonly Person[]) => void
  readonly #tellProcesses: (channel: string, notice: PresenceNotice) => void
  #timer: NodeJS.Timeout | undefined

  constructor(
    show: (channel: string, people: readonly Person[]) => void,
    tellProcesses: (channel: string, notice: PresenceNotice) => void,
  ) {
    this.#show = show
    this.#tellProcesses = tellProcesses
  }

  start(): void {
    this.#timer = setInterval(() => this.#repeat(), announceEveryMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  peopleIn(channel: string): Person[] {
    return this.#presence.peopleIn(channel)
  }

  enter(channel: string, socket: string, person: Person): void {
    this.#presence.enter(channel, socket, person)
    this.#announce(channel, true)
  }

  leave(channel: string, socket: string): void {
    if (this.#presence.leave(channel, socket)) this.#announce(channel)
  }

  /** Handles what another process reports. */
  hear(channel: string, from: string, { people, asks }: PresenceNotice): void {
    this.#presence.hear(channel, from, people)
    this.#showPeople(channel)
    if (asks && this.#presence.hereIn(channel).length) this.#announce(channel)
  }

  /**
   * Tells a channel who is present, and tells the other processes which of those users are connected to this
   * process; `asks` requests the same in return.
   */
  #announce(channel: string, asks = false): void {
    this.#showPeople(channel)
    this.#tellProcesses(channel, { people: this.#presence.hereIn(channel), asks })
  }

  #showPeople(channel: string): void {
    this.#show(channel, this.#presence.peopleIn(channel))
  }

  #repeat(): void {
    for (const channel of this.#presence.forgetSilent()) this.#showPeople(channel)
    for (const channel of this.#presence.channelsHere()) this.#announce(channel)
  }
}

/** Users by channel: those connected to this process, and those last reported by the other processes. */
export class Presence {
  readonly #here = new Map<string, Map<string, Person>>()
  readonly #elsewhere = new Map<string, Map<string, { people: readonly Person[]; at: number }>>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns everyone in a channel without duplicates, sorted by name. */
  peopleIn(channel: string): Person[] {
    const all = new Map<number, Person>()
    for (const person of this.hereIn(channel)) all.set(person.id, person)
    for (const { people, at } of this.#elsewhere.get(channel)?.values() ?? [])
      if (this.#now() - at < forgottenMs) for (const person of people) all.set(person.id, person)
    return [...all.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
  }

  hereIn(channel: string): Person[] {
    return [...(this.#here.get(channel)?.values() ?? [])]
  }

  /** Returns the channels that this process's users are in. */
  channelsHere(): string[] {
    return [...this.#here.keys()]
  }

  enter(channel: string, socket: string, person: Person): void {
    const here = this.#here.get(channel) ?? new Map<string, Person>()
    this.#here.set(channel, here.set(socket, person))
  }

  /** Removes a socket from a channel; returns whether the socket was in it. */
  leave(channel: string, socket: string): boolean {
    const here = this.#here.get(channel)
    const wasThere = here?.delete(socket) ?? false
    if (here?.size === 0) this.#here.delete(channel)
    return wasThere
  }

  /** Stores which users another process reports in a channel. */
  hear(channel: string, from: string, people: readonly Person[]): void {
    const others =
      this.#elsewhere.get(channel) ?? new Map<string, { people: readonly Person[]; at: number }>()
    if (people.length) others.set(from, { people, at: this.#now() })
    else others.delete(from)
    if (others.size) this.#elsewhere.set(channel, others)
    else this.#elsewhere.delete(channel)
  }

  /** Forgets processes that have been silent; returns the channels that their users were in. */
  forgetSilent(): string[] {
    const emptier: string[] = []
    for (const [channel, others] of this.#elsewhere) {
      const silent = [...others].filter(([, { at }]) => this.#now() - at >= forgottenMs)
      for (const [from] of silent) others.delete(from)
      if (silent.length) emptier.push(channel)
      if (!others.size) this.#elsewhere.delete(channel)
    }
    return emptier
  }
}
