import { readFileSync } from 'node:fs'
import { readContents } from '#server/files/contents/read-contents.ts'

/* Writes what is in a file as lines of JSON, each with more detail than the one before. */

const [, , path, type] = process.argv as [string, string, string, 'zip' | 'eml']

for await (const contents of readContents(type, readFileSync(path)))
  process.stdout.write(`${JSON.stringify(contents)}\n`)
