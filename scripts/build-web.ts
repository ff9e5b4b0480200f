// Builds the web client into dist/web; with --if-stale, only if one of its files has changed since the last
// build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist', 'web.stamp')
const inputs = [
  'index.html',
  'vite.config.ts',
  'scripts/web-build',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.web.json',
  'public',
  'src',
]

const wanted = hashOf(inputs)
const isFresh =
  existsSync(join(root, 'dist', 'web', 'index.html')) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === wanted
if (!isFresh || !process.argv.includes('--if-stale')) build()

function build(): void {
  console.log('Building the web client.')
  rmSync(stamp, { force: true })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, signal } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) {
    console.error(
      signal ? `The build was stopped by ${signal}.` : 'The web client could not be built; see above.',
    )
    process.exit(1)
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, wanted)
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow).filter(isOfTheClient))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

function isOfTheClient(path: string): boolean {
  return !/^src\/server\/|^src\/features\/[^/]+\/server\/|\.test(ing)?\.tsx?$/.test(path)
}
