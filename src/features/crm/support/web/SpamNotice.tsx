import { desk } from '#features/crm/support/desk.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'

/** Says why the ticket is spam, with the button that undoes it. */
export default function SpamNotice({ id, reason }: { id: number; reason: string }) {
  const { send, sending } = useSend(desk.markSpam, useTicketChange())
  const may = useMay(desk.markSpam, { params: { ticket: id }, body: { spam: false } })
  return (
    <p className={classes.notice} role="status">
      <span>{`Spam, so lists leave this ticket out. ${reason}.`}</span>
      {may && (
        <LinkButton
          disabled={sending}
          onClick={() => void send({ params: { ticket: id }, body: { spam: false } })}
        >
          Not spam
        </LinkButton>
      )}
    </p>
  )
}
