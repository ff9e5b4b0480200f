import type { z } from 'zod'
import { isAdminRole, type Permission, type RoleId } from '#shared/access.ts'
import type { Shows } from '#shared/changed.ts'
import type { FileKind } from '#shared/file-kinds.ts'
import type { RecordType } from '#shared/records.ts'

/** The signed-in user, as the server reads them on each request and as the browser stores them at sign-in. */
export interface Viewer {
  id: number
  role_id: RoleId
  permissions: ReadonlySet<Permission>
  /** IDs of the products assigned to the user. */
  products: readonly number[]
  /** Time zone of the browser that sent the request, in which the days of filters begin and end; UTC if absent. */
  zone?: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface AnyOf {
  readonly anyOf: readonly Permission[]
}

/**
 * A permission check that depends on the input, such as the new status or whether the ID is the caller's own.
 */
export interface DecidedAccess {
  /** Description for the documentation and for reviewing the access table. */
  readonly says: string
  readonly allows: (viewer: Viewer, input: Input) => boolean
  /**
   * Permissions that `allows` may check; one of them is sent in X-Permission. Empty if access depends only on
   * the role or the ID.
   */
  readonly permissions: readonly Permission[]
  /** Returns the access that `allows` checks for an input, if it is known in advance. */
  readonly accessFor?: (input: Input) => Access
}

export type Access = Permission | 'signed-in' | 'public' | AnyOf | DecidedAccess

/**
 * Restricts access to roles 0 and 1, for actions that have no permission in the specification
 * (docs/spec-gaps.md#permissions).
 */
export const adminsOnly: DecidedAccess = {
  says: 'Super Admin and Admin only',
  permissions: [],
  allows: (viewer) => isAdminRole(viewer.role_id),
}

/** Restricts the given access to roles 0 and 1. */
export const adminsWith = (access: Access): DecidedAccess => ({
  says: `${permissionNames(access).join(' | ')}, Super Admin and Admin only`,
  permissions: permissionNames(access),
  allows: (viewer, input) => isAdminRole(viewer.role_id) && allows(access, viewer, input),
})

export const anyOf = (...permissions: Permission[]): AnyOf => ({ anyOf: permissions })

/** A request's input, parsed with its endpoint's schemas. */
export interface Input {
  params: any
  query: any
  body: any
}

export type Schema = z.ZodType

/**
 * Rule for the files in a multipart field; without `kinds`, every type in shared/file-kinds.ts is accepted.
 */
export interface FileRule {
  most: number
  /** Maximum size per file. */
  maxBytes: number
  required?: boolean
  kinds?: readonly FileKind[]
  /** Accepts any type: the handler reads the content itself, and can't keep the file. */
  unchecked?: true
  /** Keeps any type: a file that isn't supported can only be downloaded. For senders who can't send it a second time. */
  anyType?: true
}

export interface EndpointShape {
  method: Method
  /** Without `/api`; parameters are in braces, as in `/admin/general/notes/{a}/{b}`. */
  path: string
  /** Additional paths of the same endpoint. */
  alsoAt?: readonly string[]
  /** One-sentence summary for the documentation. */
  summary: string
  /** The action as shown in the history and the audit log: `Changed status`. Defaults to the summary. */
  act?: string
  /** Marks its line in the log with the action, for those who watch sign-ins, permissions, and accounts. */
  security?: true
  access: Access
  /**
   * Who calls an endpoint that no page of the panel calls, such as other clients of the specification's API.
   */
  calledBy?: string
  /**
   * Fields of the request that name a product; callers without that product are rejected
   * (docs/product.md#products). If an array occurs anywhere in such a path, each of its elements is checked.
   * The server does not start if an endpoint's schemas name a product that isn't declared here.
   */
  product?: readonly ProductPlace[] | typeof checkedByQuery
  /**
   * Type of the record whose fields the body sets. The server does not start if the body has a key that is
   * not a field of this type, because it would be dropped, unless `notFields` names it.
   */
  record?: RecordType
  /** Keys of the body that the handler uses for something other than a field of the record. */
  notFields?: readonly string[]
  /**
   * Marks a GET that changes something (A §7): it runs in one transaction, is sent with `no-store`, and is
   * never retried or prefetched.
   */
  writes?: true
  /**
   * Names of the data in the reply of a read. The browser requests it again when this tab or another user changed any of
   * them while a page shows it (shared/changed.ts).
   */
  shows?: Shows | ((input: Input) => Shows)
  /**
   * False for a read that the browser doesn't request again when other users changed what it shows, such as the values
   * of a form that would start over. Give the reason.
   */
  live?: false
  /** Marks a POST that only reads. */
  reads?: true
  /**
   * Requires the shared secret from the settings in X-Inbound-Secret; it is checked before any of the body is
   * read.
   */
  inboundSecret?: true
  /**
   * Response fields that contain a secret: a repeated request gets null for them, because secrets are not
   * stored with the saved response.
   */
  shownOnce?: readonly string[]
  params?: Schema
  query?: Schema
  body?: Schema
  /**
   * Files by multipart field (`attachment[]` becomes `attachment`), streamed to disk; the handler receives
   * them as `files`.
   */
  files?: Readonly<Record<string, FileRule>>
  /**
   * Calls the handler with the accepted files; `refusedFiles` says why the others were rejected. Without this
   * flag, one rejected file fails the request.
   */
  keepGoodFiles?: true
  /** Maximum body size in bytes, if larger than the default of 1M. */
  maxBytes?: number
  /**
   * Answers with a page instead of JSON, also if the request fails. Requests can come from other sites, because
   * the page is opened from an email.
   */
  answers?: 'html'
  /** Absent if the response is not JSON, such as an image or a CSV file. */
  response?: Schema
}

/**
 * A request field that contains a product ID, such as `query.lead_for` or `body.selection.filters.lead_for`.
 */
export type ProductPlace = `${'query' | 'body' | 'params'}.${string}`
/**
 * For endpoints whose SQL reads and changes only the caller's own products, no matter which product the
 * request names.
 */
export const checkedByQuery = 'checked by the query'

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** Input that the handler receives. */
export interface ParsedInput<E extends EndpointShape> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}
export type Reply<E extends EndpointShape> = E['response'] extends Schema ? z.output<E['response']> : unknown

/** Declares an endpoint once, for the server, the browser, the documentation, and the access table. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

/** Returns whether a viewer is allowed to use an endpoint; `input` matters only if access depends on it. */
export function allows(access: Access, viewer: Viewer | undefined, input: Input): boolean {
  if (access === 'public') return true
  if (!viewer) return false
  if (access === 'signed-in') return true
  if (typeof access === 'string') return viewer.permissions.has(access)
  if ('anyOf' in access) return access.anyOf.some((permission) => viewer.permissions.has(permission))
  return access.allows(viewer, input)
}

/** Returns the permissions that an access rule names. */
export const permissionNames = (access: Access): readonly Permission[] =>
  access === 'public' || access === 'signed-in'
    ? []
    : typeof access === 'string'
      ? [access]
      : 'anyOf' in access
        ? access.anyOf
        : access.permissions

/** Returns the permission that a request sends in X-Permission (A §6), or undefined if it sends none. */
export function permissionOf(
  access: Access,
  viewer: Pick<Viewer, 'permissions'> | undefined,
  input: Input,
): Permission | undefined {
  if (access === 'public' || access === 'signed-in') return undefined
  if (typeof access === 'string') return access
  if ('accessFor' in access && access.accessFor) return permissionOf(access.accessFor(input), viewer, input)
  const names = 'anyOf' in access ? access.anyOf : access.permissions
  return names.find((name) => viewer?.permissions.has(name)) ?? names[0]
}

/**
 * Returns whether a request changes something: true for GETs marked `writes` and for all other methods except
 * those marked `reads`.
 */
export const changesSomething = (shape: Pick<EndpointShape, 'method' | 'writes' | 'reads'>): boolean =>
  shape.method === 'GET' ? shape.writes === true : shape.reads !== true

/** Returns an endpoint's name, as stored in the audit log and with operations. */
export const nameOfEndpoint = ({ method, path }: EndpointShape): string => `${method} ${path}`
