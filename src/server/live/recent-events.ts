/** How long an event is remembered. */
const rememberedMs = 60_000
const mostRooms = 1000
const mostTabs = 20

/**
 * When events were last emitted in each room. A tab that joins late learns from it that it may have missed one: its page
 * fetched its data before it joined.
 */
export class RecentEvents {
  /** By room, and by the tab that was skipped because it caused the event; oldest first. */
  readonly #rooms = new Map<string, Map<string | undefined, number>>()

  remember(room: string, skipped: string | undefined): void {
    const tabs = this.#rooms.get(room) ?? new Map<string | undefined, number>()
    moveToEnd(tabs, skipped, performance.now(), mostTabs)
    moveToEnd(this.#rooms, room, tabs, mostRooms)
  }

  /** Returns the milliseconds since the last event in one of the rooms that a tab did not cause; undefined if it is long ago. */
  msSinceLast(rooms: readonly string[], tab: string): number | undefined {
    const times = rooms.flatMap((room) =>
      [...(this.#rooms.get(room) ?? [])].flatMap(([skipped, at]) => (skipped === tab ? [] : [at])),
    )
    if (times.length === 0) return undefined
    const ms = performance.now() - Math.max(...times)
    return ms < rememberedMs ? Math.ceil(ms) : undefined
  }
}

/** Sets a value as the newest of a map, which forgets its oldest one if it has too many. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value as Key)
}
