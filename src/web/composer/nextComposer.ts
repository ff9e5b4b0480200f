import { useEffect, useEffectEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import { beginTypeAhead, endTypeAhead, isTypingAhead } from '#web/keys/typeAhead.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'

/*
 * A key that opens the composer is meant for the record whose page was opened last, even if its composer isn't there
 * yet: the key waits for it, and so does what is typed after it.
 */

type AnyRouter = Pick<ReturnType<typeof useRouter>, 'state'> | undefined
type Open = (tab: string) => void

/** Opens a tab of the composer that is shown. */
let openShown: Open | undefined
/** Returns the tab of that composer in which the user is writing. */
let writingInShown: (() => string | undefined) | undefined
/** Longest time that a key waits for the composer, in milliseconds. */
const mostWaitMs = 3000

/** Whether the page that is still shown is not the one that was opened last. */
const isLeaving = (router: AnyRouter): boolean =>
  router?.state.resolvedLocation !== undefined &&
  router.state.resolvedLocation.href !== router.state.location.href

function openWhenShown(router: AnyRouter, tab: string, since = performance.now()): void {
  beginTypeAhead()
  requestAnimationFrame(() => {
    // Escape, Tab, or a click ended it.
    if (!isTypingAhead()) return
    if (!isLeaving(router) && openShown) openShown(tab)
    else if (performance.now() - since > mostWaitMs) endTypeAhead()
    else openWhenShown(router, tab, since)
  })
}

/**
 * Registers the composer that is shown; returns the function that opens a tab of it, or of the next page's.
 * @param writing returns the tab that has the focus
 */
export function useShownComposer(open: Open, writing: () => string | undefined): Open {
  const router = useRouter({ warn: false }) as AnyRouter
  const openLatest = useEffectEvent(open)
  const writingLatest = useEffectEvent(writing)
  useEffect(() => {
    const own: Open = (tab) => openLatest(tab)
    const ownWriting = () => writingLatest()
    openShown = own
    writingInShown = ownWriting
    return () => {
      if (openShown === own) openShown = undefined
      if (writingInShown === ownWriting) writingInShown = undefined
    }
  }, [])
  return (tab) => (isLeaving(router) ? openWhenShown(router, tab) : open(tab))
}

/** Moves the focus to a tab of the composer that is shown, once a restored text is in it. */
export function continueWriting(tab: string): void {
  beginTypeAhead()
  requestAnimationFrame(() => {
    if (openShown && isTypingAhead()) openShown(tab)
    else endTypeAhead()
  })
}

/** Lets keys wait for the composer of a page that still loads; the values are IDs of its tabs. */
export function useKeysBeforeComposer(tabs: Readonly<Record<string, string>>): void {
  const router = useRouter({ warn: false }) as AnyRouter
  usePageKeys(
    Object.fromEntries(
      Object.entries(tabs).map(([letter, tab]) => [
        letter,
        () => {
          if (!openShown) openWhenShown(router, tab)
        },
      ]),
    ),
  )
}

/** Lets a user who is writing continue in the composer of another page that replaces the one shown. */
export function useFollowWriting() {
  const router = useRouter({ warn: false }) as AnyRouter
  return {
    /** Captures keys from now on if the user is writing; returns the tab. */
    holdKeys: (): string | undefined => {
      const tab = writingInShown?.()
      if (tab !== undefined) beginTypeAhead()
      return tab
    },
    /** Opens the tab in the composer of the next page, with the keys captured until then. */
    goOn: (tab: string): void => {
      if (isTypingAhead()) openWhenShown(router, tab)
    },
  }
}
