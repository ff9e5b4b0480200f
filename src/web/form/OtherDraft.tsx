import type { DraftForm } from '#web/form/useDraftForm.ts'
import { askToDiscard } from '#web/message/messages.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { relativeTime } from '#web/time.ts'

/** Offers other input of the same form, for example from another tab, instead of the one shown. */
export function OtherDraft<Values extends object>({ form: { other } }: { form: DraftForm<Values> }) {
  if (!other) return null
  const discard = async () => {
    if (await askToDiscard()) other.drop()
  }
  return (
    <div>
      You have a different draft from {relativeTime(other.at)}.{' '}
      <LinkButton onClick={() => void other.use()}>Use it</LinkButton>{' '}
      <LinkButton onClick={() => void discard()}>Discard it</LinkButton>
    </div>
  )
}
