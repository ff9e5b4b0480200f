import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a compressed copy (`name.br`) of each text file, which the server sends as is. */
export function brotliBesides(): Plugin {
  const compress = promisify(brotliCompress)
  let folder = ''
  return {
    name: 'brotli-besides',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile() && /\.(m?js|css|svg|json|txt)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
      for (const file of files) {
        const bytes = await readFile(file)
        await writeFile(
          `${file}.br`,
          await compress(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          }),
        )
      }
    },
  }
}
