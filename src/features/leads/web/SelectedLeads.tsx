import { useState } from 'react'
import { Button } from '@mantine/core'
import type { LeadRow } from '#features/leads/contract.ts'
import classes from '#features/leads/web/leads.module.css'
import type { Selection } from '#web/list/selection.tsx'
import { toast } from '#web/shell/toast.ts'

/** What can be done with the ticked leads; it remembers those of other pages. */
export function SelectedLeads({ selection, leads }: { selection: Selection; leads: readonly LeadRow[] }) {
  const [seen, setSeen] = useState<Readonly<Record<number, string>>>({})
  const unseen = leads.filter(({ lead_id, email }) => seen[lead_id] !== email)
  if (unseen.length > 0) setSeen({ ...seen, ...Object.fromEntries(unseen.map(({ lead_id, email }) => [lead_id, email])) })
  if (selection.ids.length === 0) return null

  const addresses = [...new Set(selection.ids.map((id) => seen[id]).filter(Boolean))]
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(addresses.join(', '))
      toast.success(addresses.length === 1 ? 'One address is copied.' : `${addresses.length} addresses are copied.`)
    } catch {
      toast.failure('This browser does not let the page copy.')
    }
  }

  return (
    <div className={classes.selected} role="group" aria-label="Selected leads">
      <span>{selection.ids.length} selected</span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={addresses.length === 0}
        title={addresses.length === 0 ? 'None of them has an e-mail address.' : undefined}
        onClick={() => void copy()}
      >
        Copy e-mail addresses
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
        Clear
      </Button>
    </div>
  )
}
