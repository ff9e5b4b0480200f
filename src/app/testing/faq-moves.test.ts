import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { killAll, openDatabaseOf, signIn, startPanel, type Panel } from '#app/testing/panel.testing.ts'
import { fastTempDir } from '#server/db/testing.ts'

/* Tests that the FAQ order survives SIGKILL, with the panel running as in production. */

async function start(dataDir: string): Promise<Panel> {
  const panel = await startPanel(dataDir)
  onTestFinished(() => killAll(panel))
  return panel
}

/** Returns the FAQs of the largest category, and whether the order numbers in every category are 1…n. */
async function look(panel: Panel) {
  const { db, close } = openDatabaseOf(panel)
  try {
    const { rows } = await sql<{ category_id: number; ids: number[]; places: number[] }>`
      select category_id, array_agg(id order by order_number) as ids, array_agg(order_number order by order_number) as places
      from faqs where deleted_at is null group by category_id order by count(*) desc`.execute(db)
    return {
      ids: rows[0]!.ids,
      isContiguous: rows.every(({ places }) => places.every((place, index) => place === index + 1)),
    }
  } finally {
    await close()
  }
}

test('panel and database are killed during moves by ten users: no position is duplicated or missing, and acknowledged moves are stored', async () => {
  const dataDir = mkdtempSync(join(fastTempDir(), 'panel-faqs-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  let panel = await start(dataDir)
  const token = await signIn(panel, 'super_admin')
  const { ids } = await look(panel)
  expect(ids.length).toBeGreaterThan(20)
  let isCut = false
  for (let round = 0; round < 2; round += 1) {
    const { url } = panel
    let [acknowledged, killed] = [0, Promise.resolve()]
    const mover = async (start: number) => {
      for (let turn = 0; turn < 40; turn += 1) {
        const [id, place] = [
          ids[(start * 7 + turn * 3) % ids.length]!,
          ((start + turn * 11) % ids.length) + 1,
        ]
        try {
          const answer = await fetch(`${url}/api/admin/faqs/${id}/move`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
            body: JSON.stringify({ order_number: place }),
          })
          if (!answer.ok) continue
          acknowledged += 1
          if (acknowledged === 30 + round * 25) killed = killAll(panel)
        } catch {
          // The request was in flight when everything was killed.
          isCut = true
          return
        }
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, index) => mover(index)))
    await killed
    expect(acknowledged).toBeGreaterThanOrEqual(30)
    panel = await start(dataDir)
    const after = await look(panel)
    expect(after.isContiguous).toBe(true)
    expect(new Set(after.ids)).toEqual(new Set(ids))
  }
  // If this fails, no request was in flight when everything was killed.
  expect(isCut).toBe(true)

  // A single acknowledged move must also survive a kill.
  const moved = ids[5]!
  const answer = await fetch(`${panel.url}/api/admin/faqs/${moved}/move`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ order_number: 2 }),
  })
  expect(answer.ok).toBe(true)
  await killAll(panel)
  panel = await start(dataDir)
  expect((await look(panel)).ids[1]).toBe(moved)

  // Control: the same check detects a gap.
  const { db, close } = openDatabaseOf(panel)
  await sql`alter table faqs disable trigger user`.execute(db)
  await sql`update faqs set order_number = 9999 where id = ${moved}`.execute(db)
  await close()
  expect((await look(panel)).isContiguous).toBe(false)
}, 120_000)
