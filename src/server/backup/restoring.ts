import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '#server/settings/settings.ts'

/** Returns the file that says that a restore into a folder was begun and has not ended. */
export const restoreMarkIn = (dataDir: string): string => join(dataDir, 'restoring')

/** @throws SettingsError if a restore into the folder was begun and has not ended. */
export function demandWholeRestore(dataDir: string): void {
  if (existsSync(restoreMarkIn(dataDir)))
    throw new SettingsError(
      `A restore into ${dataDir} was interrupted. Repeat it before you start the panel: npm run restore -- ARCHIVE`,
    )
}
