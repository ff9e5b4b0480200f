import { useState } from 'react'
import { useSessionStorage } from '@mantine/hooks'
import type { OperationRef } from '#shared/record.contract.ts'
import { customerView, longestCall } from '#features/crm/customer-view/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { personalKey } from '#web/session.ts'

/** A call in progress. It has no names, because it is stored in the browser. */
interface Call {
  organization: number
  user: number | undefined
  /** Milliseconds. */
  started: number
}

/** Times the viewer's call with a customer, which continues while other pages are open. */
export function useCall() {
  const [call, setCall] = useSessionStorage<Call | null>({
    key: personalKey('call'),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const { send, sending } = useSend(customerView.logCall)
  const { keep, undo } = useUndo()
  const [logged, setLogged] = useState<{ message: string; operation: OperationRef | null }>()

  function start(organization: number, user: number | undefined): void {
    setLogged(undefined)
    setCall({ organization, user, started: Date.now() })
  }

  /** Logs the call. If that fails, it continues. */
  async function end(): Promise<void> {
    if (!call || sending) return
    const { organization: id, user, started } = call
    const seconds = Math.min(Math.max(Math.round((Date.now() - started) / 1000), 0), longestCall)
    const reply = await send({ params: { id }, body: { seconds, ...(user !== undefined && { user }) } })
    if (!reply) return
    setCall(null)
    keep(reply.operation)
    setLogged(reply)
  }

  /** Stops the timer of a call that was started by mistake, without logging it. */
  function discard(): void {
    setCall(null)
    toast.success('Call discarded.', { undo: { label: 'Undo', onUndo: () => setCall((now) => now ?? call) } })
  }
  function undoLogged(): void {
    setLogged(undefined)
    if (logged?.operation) undo(logged.operation.id)
  }
  return { call, start, end, discard, ending: sending, logged, undoLogged }
}
