import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { deliver, enterWorld, inboundEnv, type World } from '#features/crm/emails/server/emails.testing.ts'
import { fixturesOf, type Fixture } from '#features/crm/emails/server/fixtures.testing.ts'

const placeOf = (world: World, on: Fixture['arrives']['on'], record: [string | null, number | null]) => {
  const known = {
    lead: ['lead', world.lead],
    user: ['customer_user', world.user],
    organization: ['organization', world.organization],
    'this ticket': ['ticket', world.ticket],
  } as const
  if (on === undefined) return [null, null]
  return on === 'ticket' ? ['ticket', record[1] === world.ticket ? 'a new one' : record[1]] : known[on]
}

test('each of these emails arrives where the table says', { timeout: 120_000 }, async () => {
  const started = await startTestApp({ env: inboundEnv })
  const { db } = started
  const world = await enterWorld(started)
  const fixtures = fixturesOf(world)
  expect(fixtures.length).toBeGreaterThanOrEqual(60)
  for (const { name, raw, arrives } of fixtures) {
    const reply = await deliver(started, raw)
    expect(reply, name).toMatchObject({ status: 200, message: 'Received.', state: arrives.state })
    const mail = await db
      .selectFrom('received_mails')
      .selectAll()
      .where('id', '=', reply.id)
      .executeTakeFirstOrThrow()
    expect([mail.record_type, mail.record_id], name).toEqual(
      placeOf(world, arrives.on, [mail.record_type, mail.record_id]),
    )
    expect(mail, name).toMatchObject({
      ...(arrives.kind === undefined ? {} : { kind: arrives.kind }),
      ...(arrives.by === undefined ? {} : { filed_by: arrives.by }),
      ...(arrives.verified_by === undefined ? {} : { verified_by: arrives.verified_by }),
      ...(arrives.subject === undefined ? {} : { subject: arrives.subject }),
    })
    if (arrives.text !== undefined) expect(mail.text, name).toContain(arrives.text)
    const problems = mail.problems.join('\n')
    if (arrives.problem) expect(problems, name).toMatch(arrives.problem)
    else expect(problems, name).toBe('')
    if (arrives.files !== undefined) {
      const links = await db
        .selectFrom('file_links')
        .select('id')
        .where('record_type', '=', 'received_mail')
        .where('record_id', '=', reply.id)
        .execute()
      expect(links, name).toHaveLength(arrives.files)
    }
  }
  // Delivered again, nothing changes.
  for (const { name, raw } of fixtures)
    expect(await deliver(started, raw), name).toMatchObject({ status: 200, message: 'Already received.' })
  const { count } = await db
    .selectFrom('received_mails')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(fixtures.length)
})
