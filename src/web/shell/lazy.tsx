import { lazy, type ComponentType } from 'react'
import { lazyRouteComponent } from '@tanstack/react-router'

/** A piece of the page's code that did not come: within 120000 ms (A §8), or at all. The error boundary offers to reload. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

export const chunkTimeoutMs = 120_000

/** Loads a piece of code, and raises a ChunkLoadError when it fails or takes too long. */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('A part of this page took too long to load.')), chunkTimeoutMs)
  })
  try {
    return await Promise.race([load(), tooLate])
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    throw new ChunkLoadError('A part of this page could not be loaded.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** A page whose code is loaded when it is opened: `lazyPage(() => import('#features/crm/leads/list/web/LeadsPage.tsx'), 'LeadsPage')`. */
export function lazyPage<Module extends Record<Name, ComponentType>, Name extends string & keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent<Record<Name, ComponentType>, Name>(() => loadChunk(load), name)
}

/** The same for a part of a page that shares its piece of code with others. */
export const lazyPart = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazy(async () => ({ default: (await loadChunk(load))[name] as Module[Name] & ComponentType<any> }))
