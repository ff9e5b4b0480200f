import type { ReactNode } from 'react'
import { Checkbox } from '@mantine/core'
import classes from '#features/crm/support/web/answers/answers.module.css'
import type { Recipient, Recipients } from '#features/crm/support/web/answers/useRecipients.ts'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

export const RecipientLines = ({ children }: { children: ReactNode }) => (
  <ul className={classes.recipients}>{children}</ul>
)

interface Props {
  part: Recipient
  recipients: Recipients
  /** Words below the requester, such as why the ticket gets no answer. */
  marks: readonly (string | false | null)[]
  /** Whether it can’t be chosen. */
  disabled?: boolean
  end: ReactNode
}

/** A ticket that can be chosen for an answer. */
export function RecipientLine({ part, recipients, marks, disabled = false, end }: Props) {
  const { isChosen, choose, show, shown } = recipients
  const notes = marks.filter((mark) => mark !== false && mark !== null)
  return (
    <li aria-current={shown?.id === part.id || undefined}>
      <Checkbox
        size="xs"
        aria-label={`Choose #${part.id} ${part.title}`}
        checked={isChosen(part)}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          choose(part.id, currentTarget.checked)
          if (currentTarget.checked) show(part.id)
        }}
      />
      <div>
        <PageLink to={ticketAddress(part)}>{part.title}</PageLink>
        <Soft as="div" small>
          {[`#${part.id}`, part.requester, part.organization].filter(Boolean).join(' · ')}
        </Soft>
        {notes.length > 0 && (
          <Soft as="div" small>
            {notes.join(' · ')}
          </Soft>
        )}
      </div>
      {end}
    </li>
  )
}
