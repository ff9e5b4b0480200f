import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * Thrown when a chunk of the page's code fails to load, or does not load within 120000 ms (A §8). The error
 * boundary offers to reload the page.
 */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

export const chunkTimeoutMs = 120_000

/** Loads a chunk of code; throws a ChunkLoadError if it fails or takes too long. */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ChunkLoadError('Part of this page took too long to load.')),
      chunkTimeoutMs,
    )
  })
  try {
    return await Promise.race([load(), tooLate])
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    throw new ChunkLoadError('Part of this page couldn’t be loaded.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns a page whose code loads when the page is opened: `lazyPage(() =>
 * import('#features/crm/leads/list/web/LeadsPage.tsx'), 'LeadsPage')`.
 */
export function lazyPage<Module extends Record<Name, ComponentType>, Name extends string & keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<Record<Name, ComponentType>, Name>(() => loadChunk(load), name)
}

/**
 * Returns a component whose code loads when it is first shown: `lazyPart(() =>
 * import('#web/palette/Palette.tsx'))`. Pass a name if it is not the default export.
 */
export function lazyPart<Module extends { default: ComponentType<any> }>(
  load: () => Promise<Module>,
): LazyExoticComponent<Module['default']>
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<Module[Name] & ComponentType<any>>
export function lazyPart(load: () => Promise<any>, name = 'default') {
  return lazy(async () => ({ default: (await loadChunk(load))[name] as ComponentType<any> }))
}
