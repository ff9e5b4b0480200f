import type { z } from 'zod'
import { isAdminRole, type Permission, type RoleId } from '#shared/access.ts'
import type { FileKind } from '#shared/file-kinds.ts'

/** The signed-in person, as the server reads them on each request and the browser keeps them from the sign-in. */
export interface Viewer {
  id: number
  role_id: RoleId
  permissions: ReadonlySet<Permission>
  /** Ids of the products assigned to them. */
  products: readonly number[]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface AnyOf {
  readonly anyOf: readonly Permission[]
}

/** A permission that depends on the input (rejecting or another status, the caller's own id or another's). */
export interface DecidedAccess {
  /** Description, for the documentation and the review of the access table. */
  readonly says: string
  readonly allows: (viewer: Viewer, input: Input) => boolean
  /** Permissions that `allows` may check; one of them is sent in X-Permission. Empty if only the role or the id decides. */
  readonly permissions: readonly Permission[]
}

export type Access = Permission | 'signed-in' | 'public' | AnyOf | DecidedAccess

/** Roles 0 and 1, for what the specification names no permission for (docs/spec-gaps.md#permissions). */
export const adminsOnly: DecidedAccess = {
  says: 'Super Admin and Admin only',
  permissions: [],
  allows: (viewer) => isAdminRole(viewer.role_id),
}

/** Restricts access to roles 0 and 1. */
export const adminsWith = (access: Access): DecidedAccess => ({
  says: `${permissionNames(access).join(' | ')}, Super Admin and Admin only`,
  permissions: permissionNames(access),
  allows: (viewer, input) => isAdminRole(viewer.role_id) && allows(access, viewer, input),
})

export const anyOf = (...permissions: Permission[]): AnyOf => ({ anyOf: permissions })

/** Input of a request, parsed by its endpoint's schemas. */
export interface Input {
  params: any
  query: any
  body: any
}

export type Schema = z.ZodType

/** Rule for the files of a multipart field; without `kinds`, every type of shared/file-kinds.ts is accepted. */
export interface FileRule {
  most: number
  /** Limit per file. */
  maxBytes: number
  required?: boolean
  kinds?: readonly FileKind[]
}

export interface EndpointShape {
  method: Method
  /** Without `/api`; parameters in braces: `/admin/general/notes/{a}/{b}`. */
  path: string
  /** Other paths of the same endpoint. */
  alsoAt?: readonly string[]
  /** One sentence for the documentation. */
  summary: string
  /** The action as shown in the history and the audit log: `Changed status`. Defaults to the summary. */
  act?: string
  access: Access
  /**
   * Where the request names a product; callers without that product are refused (docs/product.md#products). An array along the path, or at its
   * end, stands for each of its elements. An endpoint whose schemas name a product without declaring it does not start.
   */
  product?: readonly ProductPlace[] | typeof checkedByQuery
  /** A GET that changes something (A §7): one transaction, `no-store`, never retried or prefetched. */
  writes?: true
  /** A POST that only reads. */
  reads?: true
  /** Requires the shared secret of the settings in X-Inbound-Secret; checked before a byte of the body is read. */
  inboundSecret?: true
  /** Fields of the reply that hold a secret: a repeated request gets null for them, because they are not stored anywhere. */
  shownOnce?: readonly string[]
  params?: Schema
  query?: Schema
  body?: Schema
  /** A single file in a multipart field of this name, beside the fields of `body`. */
  file?: { field: string; maxBytes: number; required: boolean }
  /** Files by multipart field (`attachment[]` is `attachment`), streamed to the disk; the handler gets them as `files`. */
  files?: Readonly<Record<string, FileRule>>
  /** Calls the handler with the accepted files; `refusedFiles` says why the others were refused. Otherwise all or nothing. */
  keepGoodFiles?: true
  /** Limit for a body larger than the usual 1M, in bytes. */
  maxBytes?: number
  /** Absent if the reply is not JSON (a picture, a CSV). */
  response?: Schema
}

/** A field of the request that holds the id of a product: `query.lead_for`, `body.selection.filters.lead_for`. */
export type ProductPlace = `${'query' | 'body' | 'params'}.${string}`
/** The endpoint's SQL reads and changes the caller's own products only, whatever product is named. */
export const checkedByQuery = 'checked by the query'

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** Input that the handler receives. */
export interface ParsedInput<E extends EndpointShape> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}
export type Reply<E extends EndpointShape> = E['response'] extends Schema ? z.output<E['response']> : unknown

/** Declares an endpoint once, for the server, the browser, the documentation and the access table. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

/** Returns whether a viewer may use an endpoint; `input` matters only if the access depends on it. */
export function allows(access: Access, viewer: Viewer | undefined, input: Input): boolean {
  if (access === 'public') return true
  if (!viewer) return false
  if (access === 'signed-in') return true
  if (typeof access === 'string') return viewer.permissions.has(access)
  if ('anyOf' in access) return access.anyOf.some((permission) => viewer.permissions.has(permission))
  return access.allows(viewer, input)
}

/** Returns the permissions that an access names. */
export const permissionNames = (access: Access): readonly Permission[] =>
  access === 'public' || access === 'signed-in'
    ? []
    : typeof access === 'string'
      ? [access]
      : 'anyOf' in access
        ? access.anyOf
        : access.permissions

/** Returns the permission that a request names in X-Permission (A §6); undefined if there is none. */
export function permissionOf(
  access: Access,
  viewer: Pick<Viewer, 'permissions'> | undefined,
): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined
  if (typeof access === 'string') return access
  const names = 'anyOf' in access ? access.anyOf : access.permissions
  return names.find((name) => viewer?.permissions.has(name)) ?? names[0]
}

/** Returns whether a request changes something: every method but GET, and GETs declared so; not POSTs that only read. */
export const changesSomething = (shape: Pick<EndpointShape, 'method' | 'writes' | 'reads'>): boolean =>
  shape.method === 'GET' ? shape.writes === true : shape.reads !== true
