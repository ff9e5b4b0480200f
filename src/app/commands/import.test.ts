import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

const companies = join(import.meta.dirname, '../../features/crm/leads/import/server/fixtures/companies.csv')

test(
  'npm run import does the same as the page, and its exit code says whether a row failed',
  { timeout: 120_000 },
  async () => {
    const { app, db, as } = await startTestApp()
    const { host, user, database, connectionString, port } = app.pool.options
    const url =
      connectionString ??
      `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
    const run = (...args: string[]) => runImport(url, ...args)

    expect(await run('leads', companies, '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('503 to create, 0 to update, 0 duplicates, 0 failed.'),
    })
    expect(await db.selectFrom('leads').select('lead_id').execute()).toEqual([])
    expect(await run('leads', companies, '--product=2', '--as=crm')).toMatchObject({
      code: 0,
      out: expect.stringContaining('503 rows: 503 created'),
    })
    expect(
      await db
        .selectFrom('leads')
        .select('lead_id')
        .where('lead_for', '=', 2)
        .where('created_by', '=', as('crm').id)
        .execute(),
    ).toHaveLength(503)
    expect(await run('leads', companies, '--product=2')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 created, 0 updated, 503 duplicates, 0 failed.'),
    })

    const file = join(app.settings.dataDir, 'bad.csv')
    await writeFile(file, 'Company,E-Mail\nAalto,a@aalto.example\nTamsel,nobody\n')
    expect(await run('leads', file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('line 3: Email: Enter a valid email address.'),
    })

    expect(await run('leads', '/no/such/file.csv')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Cannot read the file: [^\n]*\n$/),
    })
    expect(await run('leads', file, '--as=nobody')).toEqual({
      code: 1,
      out: '',
      err: 'No active admin user has the username nobody.\n',
    })
    for (const wrong of [
      [],
      ['leads'],
      ['orders', file],
      ['leads', file, '--product=9'],
      ['leads', file, '--no-such'],
    ]) {
      expect(await run(...wrong)).toEqual({
        code: 1,
        out: '',
        err: 'Usage: npm run import -- leads FILE.csv [--dry-run] [--product=1] [--as=USER_NAME] [--dates=day|month]\n',
      })
    }
  },
)

function runImport(
  url: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'import.ts'), ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
  })
  const result = { out: '', err: '' }
  child.stdout.on('data', (data: Buffer) => (result.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (result.err += data.toString()))
  return new Promise((done) => child.once('close', (code) => done({ code, ...result })))
}
