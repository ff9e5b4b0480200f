import type { App } from '#server/app.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'
import type { Files } from '#server/files/files.ts'

/** A feature's part in the server. */
export interface Feature {
  /** Its endpoints. */
  contracts?: readonly Readonly<Record<string, EndpointShape>>[]
  /** Registers the handlers of its endpoints, its record types, and whatever other features ask of it. */
  routes: readonly ((app: App) => void)[]
  /** Adds its demo data; rows that exist do not change. */
  seed?: (db: Db, today: PlainDate, files?: Files) => Promise<void>
}
