import type { z } from 'zod'
import { isAdminRole, type Permission, type RoleId } from '#shared/access.ts'
import type { FileKind } from '#shared/file-kinds.ts'

/** The signed-in person, as the server reads them on each request and the browser keeps them from the login. */
export interface Viewer {
  id: number
  role_id: RoleId
  permissions: ReadonlySet<Permission>
  /** Ids of the products that are assigned to them. */
  products: readonly number[]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface AnyOf {
  readonly anyOf: readonly Permission[]
}

/** A permission that depends on what was sent (reject or another status, one's own id or another's). */
export interface DecidedAccess {
  /** In words, for the documentation and for the review of the access table. */
  readonly says: string
  readonly allows: (viewer: Viewer, input: Input) => boolean
  /** The permissions that `allows` may ask for; one of them travels in X-Permission. Empty where only the role or the id decides. */
  readonly permissions: readonly Permission[]
}

export type Access = Permission | 'signed-in' | 'public' | AnyOf | DecidedAccess

/** Roles 0 and 1, where no permission of the specification names what they administer (docs/spec-gaps.md#rights). */
export const adminsOnly: DecidedAccess = { says: 'roles 0 and 1', permissions: [], allows: (viewer) => isAdminRole(viewer.role_id) }

export const anyOf = (...permissions: Permission[]): AnyOf => ({ anyOf: permissions })

/** What a request carries, after its endpoint's schemas have read it. */
export interface Input {
  params: any
  query: any
  body: any
}

export type Schema = z.ZodType

/** What a multipart field takes; without `kinds` every type of shared/file-kinds.ts. */
export interface FileRule {
  most: number
  /** Of each file. */
  maxBytes: number
  required?: boolean
  kinds?: readonly FileKind[]
}

export interface EndpointShape {
  method: Method
  /** Without `/api`; parameters in braces: `/admin/general/notes/{a}/{b}`. */
  path: string
  /** Other paths under which the same endpoint answers. */
  alsoAt?: readonly string[]
  /** One sentence for the documentation. */
  summary: string
  /** What it does, as history and log say it afterwards: `Changed the status`. Absent: the summary. */
  act?: string
  access: Access
  /**
   * Where the request names a product; who has not got that product is refused (docs/product.md#products). An array on the way, or at its end,
   * means each of its elements. An endpoint whose schemas name a product and which does not say so does not start.
   */
  product?: readonly ProductPlace[] | typeof checkedByQuery
  /** A GET that changes something (A §7): one transaction, `no-store`, never retried or prefetched. */
  writes?: true
  /** A POST that only reads. */
  reads?: true
  /** Only for who shows the shared secret of the settings in X-Inbound-Secret; asked before a byte of the body is read. */
  inboundSecret?: true
  params?: Schema
  query?: Schema
  body?: Schema
  /** One file in a multipart field of this name, beside the fields of `body`. */
  file?: { field: string; maxBytes: number; required: boolean }
  /** Files in multipart fields, by field (`attachment[]` is `attachment`), streamed to the disk; the handler finds them in `files`. */
  files?: Readonly<Record<string, FileRule>>
  /** The handler is called with the files that were taken, and finds why the others were not in `refusedFiles`; else it is all or nothing. */
  keepGoodFiles?: true
  /** A body larger than the usual 1M, in bytes. */
  maxBytes?: number
  /** Absent: the answer is no JSON (a picture, a CSV). */
  response?: Schema
}

/** A field of the request that holds the id of a product: `query.lead_for`, `body.selection.filters.lead_for`. */
export type ProductPlace = `${'query' | 'body' | 'params'}.${string}`
/** The SQL of the endpoint answers and changes the caller's own products only, whatever product is named. */
export const checkedByQuery = 'checked by the query'

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** What the handler receives. */
export interface ParsedInput<E extends EndpointShape> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}
export type Reply<E extends EndpointShape> = E['response'] extends Schema ? z.output<E['response']> : unknown

/** Declares an endpoint once, for the server, the browser, the documentation and the access table. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

/** Whether somebody may use an endpoint; `input` matters only where the access depends on what was sent. */
export function allows(access: Access, viewer: Viewer | undefined, input: Input): boolean {
  if (access === 'public') return true
  if (!viewer) return false
  if (access === 'signed-in') return true
  if (typeof access === 'string') return viewer.permissions.has(access)
  if ('anyOf' in access) return access.anyOf.some((permission) => viewer.permissions.has(permission))
  return access.allows(viewer, input)
}

/** The permissions that an access names. */
export const permissionNames = (access: Access): readonly Permission[] =>
  access === 'public' || access === 'signed-in' ? [] : typeof access === 'string' ? [access] : 'anyOf' in access ? access.anyOf : access.permissions

/** The permission whose name travels in X-Permission with a request (A §6); undefined where there is none. */
export function permissionOf(access: Access, viewer: Pick<Viewer, 'permissions'> | undefined): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined
  if (typeof access === 'string') return access
  const names = 'anyOf' in access ? access.anyOf : access.permissions
  return names.find((name) => viewer?.permissions.has(name)) ?? names[0]
}

/** Whether a request changes something: every method but GET, and the GETs that say so; not the POSTs that only read. */
export const changesSomething = (shape: Pick<EndpointShape, 'method' | 'writes' | 'reads'>): boolean =>
  shape.method === 'GET' ? shape.writes === true : shape.reads !== true
