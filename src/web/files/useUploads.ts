import { use, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { FileKind } from '#shared/file-kinds.ts'
import type { FileRef } from '#shared/files.ts'
import { Uploads } from '#web/files/uploads.ts'
import { useFileRefs } from '#web/files/useFileRefs.ts'
import { InnerContext, type NestedReports } from '#web/form/inner.ts'

interface Field {
  value: readonly number[]
  onChange: (ids: number[]) => void
  most: number
  maxBytes: number
  kinds: readonly FileKind[] | undefined
}

/**
 * Uploads files, and adds their IDs to the field's value. Reports uploads in progress and refused files to the
 * form: by default to the one around it.
 */
export function useUploads({ value, onChange, most, maxBytes, kinds }: Field, form?: NestedReports) {
  const [sent, setSent] = useState<readonly FileRef[]>([])
  const take = useRef<(ref: FileRef) => void>(() => {})
  const [uploads] = useState(
    () => new Uploads(() => ({ maxBytes, kinds, onSent: (ref) => take.current(ref) })),
  )
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  const older = useFileRefs(value.filter((id) => !sent.some((ref) => ref.id === id)))
  const refs = value.flatMap((id) => sent.find((ref) => ref.id === id) ?? older.get(id) ?? [])
  const busy = items.some(({ state }) => state !== 'failed')

  const added = useEffectEvent((ref: FileRef) => {
    setSent((before) => [...before, ref])
    onChange(most === 1 ? [ref.id] : [...value, ref.id])
  })
  useEffect(() => {
    take.current = (ref) => added(ref)
    return () => uploads.stop()
  }, [uploads])
  const around = use(InnerContext)
  const reports = form ?? around
  useEffect(() => (busy ? reports.busy() : undefined), [busy, reports])
  const refused = JSON.stringify(items.filter(({ state }) => state === 'failed').map(({ file }) => file.name))
  useEffect(() => {
    const names = JSON.parse(refused) as string[]
    return names.length > 0 ? reports.refused({ names, dismiss: () => uploads.dismissFailed() }) : undefined
  }, [refused, reports, uploads])
  return { refs, items, uploads }
}
