import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import { pageCount } from '#shared/page.ts'
import { useResumedRow } from '#web/keys/useResumedRow.ts'
import { useRowKeys } from '#web/keys/useRowKeys.ts'
import { useKeptRows } from '#web/list/inbox/useKeptRows.ts'
import { usePositions } from '#web/list/ListTable.tsx'
import { useResumeAt } from '#web/list/position/useResumeAt.ts'
import type { List, ListFilters } from '#web/list/useList.ts'
import { pendingSteps } from '#web/record/pendingSteps.ts'

/** Returns whether the list and the open record fit beside each other (inbox.module.css). */
export const hasRoomForPane = () => globalThis.matchMedia('(width >= 1100px)').matches

type Step = 1 | -1

/**
 * Returns the rows of an inbox in the order of the walk, and what opens them: the mouse, the list's keyboard
 * shortcuts, and the open record itself ("Send and next").
 */
export function useInbox<Row, S extends z.ZodType<ListFilters>>(
  list: List<Row, S>,
  prefetch: ((row: Row) => void) | undefined,
  acts: Record<string, (row: Row) => void> = {},
) {
  const region = useRef<HTMLUListElement>(null)
  const navigate = useNavigate()
  const { rows, isListed, note } = useKeptRows(list)
  const { rowKey, addressOf } = list.definition
  const { open, page } = list.filters
  const stateOf = usePositions({ ...list, rows })
  // Replaces the URL of another open record, so that Back leads to the list.
  const show = (id: number | undefined) =>
    void list.filterBy({ page, open: id } as Partial<z.output<S>>, { replace: open !== undefined })
  const focusRow = (id: number | undefined) =>
    region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()

  const turn = usePageTurn(list, (to) => {
    const row = rows?.at(to)
    if (!row) return
    show(rowKey(row))
    focusRow(rowKey(row))
  })
  const at = rows?.findIndex((row) => rowKey(row) === open) ?? -1
  // The next record is one that the list still has: others were dealt with before.
  const next = rows?.slice(at + 1).find(isListed)
  useSteps(open, (by) => {
    const row = by > 0 ? next : rows?.[at - 1]
    if (!row) return turn(by)
    pendingSteps.take(open!, rowKey(row))
    show(rowKey(row))
    focusRow(rowKey(row))
  })

  const nextId = next && rowKey(next)
  const load = useEffectEvent(() => {
    if (next) prefetch?.(next)
  })
  useEffect(() => {
    if (nextId !== undefined) load()
  }, [nextId])

  const onOpen = (row: Row) => {
    if (hasRoomForPane()) show(rowKey(row))
    else if (addressOf) void navigate({ to: addressOf(row), state: stateOf(addressOf(row)) })
  }
  useResumedRow(region, rows !== undefined, useResumeAt(rows, rowKey, addressOf))
  useRowKeys(region, rows, {
    rowKey,
    onOpen,
    selection: list.isSelectable ? list.selection : undefined,
    acts: open === undefined ? acts : { ...acts, Escape: () => show(undefined) },
    walk: {
      from: open,
      onStep: (row) => open !== undefined && show(rowKey(row)),
      onEnd: turn,
    },
  })
  return { region, rows, stateOf, note, open: onOpen, close: () => show(undefined), focusRow }
}

/**
 * Returns the function that steps to the next or previous page while a record is open. `onTurned` is called with
 * the index of the row to open there.
 */
function usePageTurn<Row, S extends z.ZodType<ListFilters>>(
  { filters, filterBy, total, perPage, stale, rows }: List<Row, S>,
  onTurned: (row: 0 | -1) => void,
) {
  const { open, page } = filters
  const turned = useRef<{ page: number; row: 0 | -1 }>(undefined)
  const arrive = useEffectEvent((at: number) => {
    if (turned.current?.page === at) onTurned(turned.current.row)
    turned.current = undefined
  })
  const isThere = open === undefined && !stale && rows !== undefined
  useEffect(() => {
    if (isThere) arrive(page)
  }, [isThere, page])
  return (by: Step): void => {
    if (open === undefined || total === undefined || !perPage) return
    const to = page + by
    if (to < 1 || to > pageCount(total, perPage)) return
    turned.current = { page: to, row: by > 0 ? 0 : -1 }
    void filterBy({ page: to, open: undefined } as Partial<z.output<S>>, { replace: true })
  }
}

/** Takes the steps that the open record requests, such as after an answer. */
function useSteps(open: number | undefined, onStep: (by: Step) => void): void {
  useEffect(() => {
    if (open !== undefined) pendingSteps.arrive(open)
  }, [open])
  const steps = useSyncExternalStore(pendingSteps.subscribe, () =>
    open === undefined ? 0 : pendingSteps.of(open),
  )
  const step = useEffectEvent(() => {
    if (open === undefined) return
    onStep(steps > 0 ? 1 : -1)
    pendingSteps.drop(open, steps)
  })
  useEffect(() => {
    if (steps !== 0) step()
  }, [steps])
}
