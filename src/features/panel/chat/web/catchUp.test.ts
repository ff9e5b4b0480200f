import { expect, test } from 'vitest'
import { CatchUp } from '#features/panel/chat/web/catchUp.ts'

interface Message {
  id: number
}

/** Returns a reproducible pseudorandom number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below
}

/**
 * Simulates a room whose messages are committed, received late, and read in batches, while connections drop
 * and reads fail. Returns the stored messages, the messages shown in the end, and the messages that a client
 * relying only on events would have shown.
 */
async function play(seed: number): Promise<{ stored: number[]; shown: number[]; heardAlone: number[] }> {
  const random = numbers(seed)
  const stored: Message[] = []
  const shown = new Set<number>()
  const heardAlone = new Set<number>()
  let isJoined = false
  let connection = 0
  const waits: (() => void)[] = []
  const moment = () => new Promise<void>((done) => waits.push(done))
  const perRead = 3
  const client = new CatchUp<Message>({
    read: async (after) => {
      await moment()
      if (random(5) === 0) throw new Error('away')
      const messages = stored.filter(({ id }) => id > after).slice(0, perRead)
      await moment()
      return { messages, isAll: messages.length < perRead }
    },
    show: (messages) => {
      for (const { id } of messages) shown.add(id)
    },
    retryMs: 0,
  })
  let id = 0
  for (let step = 0; step < 300; step += 1) {
    const what = random(10)
    if (what < 5) {
      // IDs have gaps.
      id += 1 + random(3)
      const message = { id }
      stored.push(message)
      const of = connection
      if (isJoined)
        void moment().then(() => {
          if (!isJoined || of !== connection) return
          client.receive(message)
          heardAlone.add(message.id)
        })
    } else if (what === 5) {
      isJoined = !isJoined
      connection += 1
      client.setJoined(isJoined)
    } else if (what === 6 && step > 20) client.setInitial(0)
    const due = waits.splice(0, 1 + random(3))
    for (const go of due) go()
    if (step % 10 === 0) await new Promise((done) => setTimeout(done, 0))
    else for (let turn = 0; turn < 6; turn += 1) await Promise.resolve()
  }
  client.setInitial(0)
  if (!isJoined) client.setJoined(true)
  for (let step = 0; step < 600 && shown.size < stored.length; step += 1) {
    for (const go of waits.splice(0)) go()
    await new Promise((done) => setTimeout(done, 0))
  }
  return {
    stored: stored.map((one) => one.id),
    shown: [...shown].toSorted((a, b) => a - b),
    heardAlone: [...heardAlone],
  }
}

test('every message is shown, whatever happens in between; a client that only listens loses some', async () => {
  let lost = 0
  for (let seed = 1; seed <= 12; seed += 1) {
    const { stored, shown, heardAlone } = await play(seed)
    expect([seed, shown]).toEqual([seed, stored])
    lost += stored.length - heardAlone.length
  }
  // The control.
  expect(lost).toBeGreaterThan(100)
})

test('nothing is fetched before the first messages have loaded, and not everything after that', async () => {
  const asked: number[] = []
  const client = new CatchUp<Message>({
    read: (after) => (asked.push(after), Promise.resolve({ messages: [], isAll: true })),
    show: () => {},
  })
  client.setJoined(true)
  client.receive({ id: 9 })
  expect(asked).toEqual([])
  client.setInitial(7)
  client.setInitial(8)
  expect(asked).toEqual([7])
})
