import { useSyncExternalStore } from 'react'
import { isPermission, isRoleId, type Permission } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { visibleProducts, type Product } from '#shared/products.ts'

/*
 * Session data that the browser stores. The first fourteen keys and the order in which they are cleared at
 * logout come from the specification (A §3, A §4). Numbers are stored as strings and parsed only here; role 0
 * and product 0 are valid.
 */

/**
 * Cleared at logout before the request is sent, in this order (A §4); the specification's `permissions` is
 * stored as `user_permissions`.
 */
const clearedFirst = [
  'tab',
  'role',
  'admin_id',
  'f_name',
  'l_name',
  'show_filter',
  'software_filter',
  'demo_filter',
  'direction',
  'column',
  'product',
  'user_permissions',
] as const
/**
 * Removed when the logout request has completed (docs/spec-gaps.md G03). The keys after user_product are our
 * own.
 */
const clearedLast = [
  'access_token',
  'user_product',
  'products',
  'avatar',
  'user_name',
  'users',
  'organizations',
  'onboarding_status',
  'default_views',
] as const

type StoredKey = (typeof clearedFirst)[number] | (typeof clearedLast)[number]

/** The part of a login response that the browser stores. */
export interface SignedIn {
  user: { id: number; first_name: string; last_name: string; role_id: number; avatar: string | null }
  products: readonly Product[]
  user_product: readonly number[]
  user_permissions: readonly string[]
}

export interface Person extends Viewer {
  firstName: string
  lastName: string
  /** Name of the profile picture; null if there is none. */
  avatar: string | null
}

/**
 * Returns the viewer, or undefined if no one is signed in. Returns the same object until something changes.
 */
export function viewer(): Person | undefined {
  return (current ??= readViewer()) ?? undefined
}

export const useViewer = (): Person | undefined => useSyncExternalStore(subscribe, viewer)

/** Returns the products that the switcher can offer (A §1). */
export const myProducts = (): Product[] =>
  (currentProducts ??= visibleProducts(
    readJson<Product[]>('products', []),
    readJson<number[]>('user_product', []),
  ))
export const useMyProducts = (): Product[] => useSyncExternalStore(subscribe, myProducts)

/**
 * Returns the chosen product: the stored one if it is still offered, otherwise the one with the lowest ID
 * (docs/spec-gaps.md G132); undefined if there are no products.
 */
export function product(): number | undefined {
  const offered = myProducts().map(({ id }) => id)
  const stored = storedNumber('product')
  return stored !== undefined && offered.includes(stored) ? stored : offered.toSorted((a, b) => a - b)[0]
}
export const useProduct = (): number | undefined => useSyncExternalStore(subscribe, product)

export function storeProduct(id: number): void {
  write('product', String(id))
  changed()
}

export const accessToken = (): string | undefined => read('access_token') ?? undefined

/** Stores a login response or, if it contains no token, a newer response for the same session. */
export function storeSession(answer: SignedIn & { token?: string }): void {
  const { user } = answer
  write('role', String(user.role_id))
  write('admin_id', String(user.id))
  write('f_name', user.first_name)
  write('l_name', user.last_name)
  write('avatar', user.avatar ?? '')
  write('products', JSON.stringify(answer.products))
  write('user_product', JSON.stringify(answer.user_product))
  write('user_permissions', JSON.stringify(answer.user_permissions))
  if (answer.token !== undefined) write('access_token', answer.token)
  changed()
  const chosen = product()
  if (chosen !== undefined) storeProduct(chosen)
}

/** Stores the changes made in Edit Profile (A §8). */
export function storeProfile(profile: { first_name?: string; last_name?: string; avatar?: string }): void {
  if (profile.first_name !== undefined) write('f_name', profile.first_name)
  if (profile.last_name !== undefined) write('l_name', profile.last_name)
  if (profile.avatar !== undefined) write('avatar', profile.avatar)
  changed()
}

/**
 * Performs the first step of a logout: the token stays, because the request that follows needs it
 * (docs/spec-gaps.md G03).
 */
export function clearBeforeLogout(): void {
  for (const key of clearedFirst) localStorage.removeItem(key)
  changed()
}

/** Performs the last step of a logout, once its request has completed, successfully or not. */
export function clearAfterLogout(): void {
  for (const key of clearedLast) localStorage.removeItem(key)
  changed()
}

/** Removes all drafts at logout; a session that merely expires keeps them. */
export function removeDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
}

/** Returns the username that the viewer signs in with, which is offered again when the session has ended. */
export const storedUserName = (): string => read('user_name') ?? ''
export const storeUserName = (name: string): void => write('user_name', name)

/** Keys that pages use for what they keep until logout. */
export type PageKey = Extract<
  StoredKey,
  'tab' | 'software_filter' | 'show_filter' | 'demo_filter' | 'direction' | 'column' | 'onboarding_status'
>
/** Returns what a page has stored; undefined if there is nothing. */
export const storedByPage = (key: PageKey): string | undefined => read(key) ?? undefined
export const storeForPage = (key: PageKey, value: string): void => write(key, value)

/**
 * Stores the IDs and names that pages offer for selection, and no other data about these records, until
 * logout (docs/spec-gaps.md G66).
 */
export function storeNames(
  key: 'users' | 'organizations',
  entries: readonly { id: number; name: string }[],
): void {
  if (accessToken()) write(key, JSON.stringify(entries.map(({ id, name }) => ({ id, name }))))
}

/**
 * Stores the viewer's default filters for each path. They are kept only until logout, because the server has
 * them for the next sign-in.
 */
export function storeDefaultViews(
  views: readonly { id: number; is_default: boolean; path: string; address: Record<string, unknown> }[],
  ofPath?: string,
): void {
  if (!accessToken()) return
  const { [ofPath ?? '']: _, ...others } = ofPath === undefined ? {} : defaultViews()
  const found = views
    .filter((view) => view.is_default)
    .map(({ id, path, address }) => [path, { ...address, saved_view: id }] as const)
  write('default_views', JSON.stringify({ ...others, ...Object.fromEntries(found) }))
}
function defaultViews(): Record<string, Record<string, unknown>> {
  try {
    return JSON.parse(read('default_views') ?? '{}')
  } catch {
    return {}
  }
}
export const defaultView = (path: string): Record<string, unknown> | undefined => defaultViews()[path]

/**
 * Returns the key under which the browser stores something for the viewer, so that users don't share drafts
 * and table layouts.
 */
export const personalKey = (name: string): string => `${name}:${read('admin_id') ?? ''}`

export const draftPrefix = 'draft:'

/** Registers a callback for every change, including those made in another tab. */
export function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

const listeners = new Set<() => void>()
let current: Person | null | undefined
let currentProducts: Product[] | undefined

function changed(): void {
  current = undefined
  currentProducts = undefined
  for (const listener of [...listeners]) listener()
}

globalThis.addEventListener?.('storage', (event) => {
  if (event.key === null || [...clearedFirst, ...clearedLast].includes(event.key as StoredKey)) changed()
})

function readViewer(): Person | null {
  const id = storedNumber('admin_id')
  const role = storedNumber('role')
  if (!accessToken() || id === undefined || !isRoleId(role)) return null
  return {
    id,
    role_id: role,
    permissions: new Set<Permission>(readJson<unknown[]>('user_permissions', []).filter(isPermission)),
    products: readJson<number[]>('user_product', []),
    firstName: read('f_name') ?? '',
    lastName: read('l_name') ?? '',
    avatar: read('avatar') || null,
  }
}

const read = (key: StoredKey): string | null => localStorage.getItem(key)
const write = (key: StoredKey, value: string): void => localStorage.setItem(key, value)

function storedNumber(key: StoredKey): number | undefined {
  const text = read(key)
  if (text === null || !/^\d+$/.test(text)) return undefined
  return Number(text)
}

/** Reads an array that the browser stores; anything else is replaced by the fallback. */
function readJson<List extends unknown[]>(key: StoredKey, otherwise: List): List {
  try {
    const value: unknown = JSON.parse(read(key) ?? '')
    return Array.isArray(value) ? (value as List) : otherwise
  } catch {
    return otherwise
  }
}
