import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { outbox, retriedDays } from '#features/admin/outbox/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { TextButton } from '#web/parts/controls.tsx'

/** Button that retries what failed, for example after the mail server was down. */
export function RetryFailed() {
  const { send, sending } = useSend(outbox.retryFailed, {
    onDone: ({ message }) => toast.success(message),
  })
  async function retry(): Promise<void> {
    const detail = `Includes the last ${retriedDays} days. Emails to addresses that don’t exist stay failed: correct these instead.`
    if (await askToProceed('Retry all failed emails?', { detail })) await send({ body: {} })
  }
  return (
    <TextButton
      icon={<IconRefresh size={14} stroke={1.5} aria-hidden />}
      disabled={sending}
      onClick={() => void retry()}
    >
      Retry all failed
    </TextButton>
  )
}
