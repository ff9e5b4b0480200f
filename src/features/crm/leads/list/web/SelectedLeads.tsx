import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import type { LeadFilters, LeadRow } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { useMay } from '#web/api/useSend.ts'
import type { Selection } from '#web/list/selection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useFocusOnTable } from '#web/keys/useFocusOnTable.ts'
import { copyText } from '#web/copyText.ts'
import { countText } from '#web/time.ts'

const BulkActions = lazyPart(() => import('#features/crm/leads/list/web/BulkActions.tsx'))

interface Props {
  selection: Selection
  /** The rows on this page. */
  leads: readonly LeadRow[]
  /** All active filters, and how many leads match them. */
  filters: LeadFilters
  total: number | undefined
}

/** Actions for the selected leads, or for all that match; keeps leads selected on other pages. */
export function SelectedLeads({ selection, leads, filters, total = 0 }: Props) {
  const [seen, setSeen] = useState<Readonly<Record<number, string>>>({})
  const unseen = leads.filter(({ lead_id, email }) => seen[lead_id] !== email)
  if (unseen.length > 0)
    setSeen({ ...seen, ...Object.fromEntries(unseen.map(({ lead_id, email }) => [lead_id, email])) })
  const { isAll } = selection
  const mayEdit = useMay(leadOperations.change, { body: { selection: {}, change: { kind: 'delete' } } })
  const mayPrioritise = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'color', color: 0 } },
  })
  const mayReject = useMay(leadOperations.change, {
    body: { selection: {}, change: { kind: 'reject', reject_msg: '' } },
  })
  const mayChange = mayEdit || mayPrioritise || mayReject
  useFocusOnTable(selection.ids.length > 0)
  if (selection.ids.length === 0) return null

  const wholePage = leads.length > 0 && leads.every(({ lead_id }) => selection.has(lead_id))
  return (
    <div className={classes.selected} role="group" aria-label="Selected leads">
      <span aria-live="polite">
        {isAll ? `All ${countText(total)} matching leads selected` : `${selection.ids.length} selected`}
      </span>
      {mayChange && wholePage && !isAll && total > selection.ids.length && (
        <Button size="compact-xs" variant="subtle" onClick={selection.chooseAll}>
          Select all {countText(total)} matching leads
        </Button>
      )}
      {mayChange && (
        <Suspense>
          <BulkActions
            chosen={isAll ? { filters: { ...filters, page: 1 }, total } : { ids: selection.ids }}
            onDone={selection.clear}
          />
        </Suspense>
      )}
      {!isAll && <CopyAddresses addresses={[...new Set(selection.ids.flatMap((id) => seen[id] || []))]} />}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}

function CopyAddresses({ addresses }: { addresses: readonly string[] }) {
  const done =
    addresses.length === 1 ? '1 email address copied.' : `${addresses.length} email addresses copied.`
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={addresses.length === 0}
      title={addresses.length === 0 ? 'None of the selected leads has an email address.' : undefined}
      onClick={() => void copyText(addresses.join(', '), done)}
    >
      Copy email addresses
    </Button>
  )
}
