import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { setUp } from './setup.ts'

/*
 * `node bench/backup.ts`: the ways to back up and restore a database that decision 021 compares: ours (COPY under one
 * snapshot), pg_dump, and a copy of the data folder between pg_backup_start and pg_backup_stop, by turns. LEADS and
 * ROUNDS change what is measured. The embedded PostgreSQL has no pg_dump: DATABASE_URL names an empty database of
 * another server on this machine, as a superuser, into which the leads are restored first; PATH has its pg_dump.
 */

const leads = Number(process.env['LEADS'] ?? 200_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'admin-panel-bench-backup-'))
const root = join(import.meta.dirname, '..')

interface Cost {
  seconds: number
  /** Seconds of CPU of the program, without PostgreSQL's. */
  program: number
  megabytes: number
}

/** Runs a line of the shell with settings; returns its seconds and those of its CPU. */
function run(line: string, env: Record<string, string> = {}): { seconds: number; program: number } {
  const begun = performance.now()
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -eo pipefail; ${line}; times`], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${line}: ${stderr}`)
  const seconds = (performance.now() - begun) / 1000
  // The last line has the user and system time of all programs that it started.
  const [, ...times] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(stdout)!
  const [minutes, rest, systemMinutes, systemRest] = times.map(Number) as [number, number, number, number]
  return { seconds, program: minutes * 60 + rest + systemMinutes * 60 + systemRest }
}

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size

const bench = await setUp(leads, '2026-11-20')
try {
  const url = process.env['DATABASE_URL'] ?? bench.url
  const env = { DATABASE_URL: bench.url, DATA_DIR: bench.dataDir }
  const ourRestore = (to: string, data: string) =>
    run(`'${process.execPath}' scripts/restore.ts $(ls ${folder}/ours/*.gz)`, {
      DATABASE_URL: to,
      DATA_DIR: join(folder, data),
    })
  if (url !== bench.url) {
    run(`'${process.execPath}' scripts/backup.ts ${folder}/ours`, env)
    ourRestore(url, 'restored')
  }
  await compare(url, ourRestore)
} finally {
  await bench.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(
  url: string,
  ourRestore: (to: string, data: string) => { seconds: number; program: number },
): Promise<void> {
  const client = new pg.Client({
    connectionString: url === bench.url ? url.replace(/\/\/[^@]*@/, '//postgres@') : url,
  })
  // When PostgreSQL stops first, the failure that is reported is the one before.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ data_directory: string; server_version: string; size: string }>(
    `select current_setting('data_directory') as data_directory, current_setting('server_version') as server_version,
      pg_database_size(current_database())::text as size`,
  )
  const { data_directory: data, server_version, size } = rows[0]!
  console.log(
    `${leads} leads, ${Math.round(Number(size) / 1e6)} MB in PostgreSQL ${server_version}, medians of ${rounds}`,
  )
  const costOf = (path: string, work: () => { seconds: number; program: number }): Cost => {
    rmSync(join(folder, path), { recursive: true, force: true })
    mkdirSync(join(folder, path))
    return { ...work(), megabytes: sizeOf(join(folder, path)) / 1e6 }
  }
  const dump = hasDump(url)
  const emptied = async () => {
    await client.query('drop database if exists restored_by_bench')
    await client.query(
      `create database restored_by_bench owner ${pg.escapeIdentifier(new URL(url).username)}`,
    )
    const to = new URL(url)
    to.pathname = '/restored_by_bench'
    return to.href
  }
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: url === bench.url ? bench.dataDir : join(folder, 'restored'),
  }
  const costs = new Map<string, Cost[]>()
  const note = (name: string, cost: Cost) => {
    costs.set(name, [...(costs.get(name) ?? []), cost])
    print(name, [cost])
  }
  for (let round = 0; round < rounds; round += 1) {
    note(
      'backup: COPY',
      costOf('ours', () => run(`'${process.execPath}' scripts/backup.ts ${folder}/ours`, settings)),
    )
    if (dump)
      note(
        'backup: pg_dump',
        costOf('dump', () => run(`pg_dump -Fc -Z1 -f ${folder}/dump/x '${url}'`)),
      )
    await client.query(`select pg_backup_start('bench', true)`)
    // The log of writes meanwhile is needed, too.
    note(
      'backup: data folder',
      costOf('folder', () => run(`(tar -C ${data} -c . || [ $? -eq 1 ]) | gzip -1 > ${folder}/folder/x`)),
    )
    await client.query('select pg_backup_stop(false)')
    const to = await emptied()
    note(
      'restore: COPY',
      costOf(`again-${round}`, () => ourRestore(to, `again-${round}`)),
    )
    if (!dump) continue
    const other = await emptied()
    note(
      'restore: pg_restore',
      costOf('none', () => run(`pg_restore -d '${other}' ${folder}/dump/x`)),
    )
  }
  await client.query('drop database if exists restored_by_bench')
  await client.end()
  console.log('Medians:')
  for (const [name, all] of costs) print(name, all)
}

/** Prints the medians of costs. */
function print(name: string, all: readonly Cost[]): void {
  const median = (of: keyof Cost) =>
    all.map((cost) => cost[of]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
  console.log(
    `${name.padEnd(22)} ${median('seconds').toFixed(1)} s, CPU ${median('program').toFixed(1)} s, ${median('megabytes').toFixed(0)} MB`,
  )
}

/** Whether pg_dump exists and knows this server; says why not. */
function hasDump(url: string): boolean {
  const { error, status, stderr } = spawnSync('pg_dump', ['--schema-only', '-f', '/dev/null', url], {
    encoding: 'utf8',
  })
  if (status !== 0) console.log(`Without pg_dump: ${error?.message ?? stderr.trim()}`)
  return status === 0
}
