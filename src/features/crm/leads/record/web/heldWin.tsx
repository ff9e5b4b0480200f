import { useRef } from 'react'
import { leads } from '#features/crm/leads/contract.ts'
import { useLeadOptions, useWinDialog, type WinProps } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

/*
 * A won status that is chosen in the form of a lead without an organization: the form saves everything else, and then
 * asks with the dialog of the menus, which sets the status.
 */

export interface HeldWin {
  lead: WinProps['lead']
  status: number
}

interface Body {
  status?: number
  version?: number
  base?: Record<string, unknown>
}

interface Held {
  status: number
  /** Whether nothing else changes. */
  isAlone: boolean
}

/** Returns functions that hold back the status of a save, and tell what the last save held back. */
export function useHeldWin(hasOrganization: boolean) {
  const { statuses } = useLeadOptions()
  const canAsk = useWinDialog() !== undefined
  const held = useRef<Held>(undefined)
  return {
    reset: () => {
      held.current = undefined
    },
    /** Returns what is saved now. */
    hold: <Sent extends Body>(body: Sent): Omit<Sent, 'status'> & Body => {
      const { status, version: _version, base, ...others } = body
      const isWin = statuses.some(({ id, is_won }) => is_won && id === status)
      held.current = undefined
      if (status === undefined || !isWin || hasOrganization || !canAsk) return body
      held.current = { status, isAlone: Object.keys(others).length === 0 }
      const { status: _sent, ...rest } = body
      const { status: _seen, ...seen } = base ?? {}
      return base ? { ...rest, base: seen } : rest
    },
    isAlone: () => held.current?.isAlone === true,
    /** Returns the end of the message about a save. */
    except: () => (held.current ? ', without the status' : ''),
    of: (lead: WinProps['lead'] | undefined): HeldWin | undefined =>
      lead && held.current && { lead, status: held.current.status },
  }
}

/** Asks for the organization of a lead that was saved without its won status. */
export function AskToWin({ lead, status, onClose }: HeldWin & { onClose: () => void }) {
  const { keep } = useUndo()
  const { send } = useSend(leads.changeLeadStatus, { onDone: ({ operation }) => keep(operation) })
  const onWithout = () => void send({ query: { id: lead.lead_id, status } })
  return useWinDialog()?.({ lead, onWithout, onClose })
}
