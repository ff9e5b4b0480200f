import { useState } from 'react'
import { Button, Checkbox, Modal } from '@mantine/core'
import { nameInChoice } from '#shared/away.contract.ts'
import classes from '#features/crm/support/web/distribute.module.css'
import { ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import { useAssignable } from '#features/crm/support/web/useAssignable.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  /** Number of selected tickets. */
  count: number
  onChoose: (people: number[]) => Promise<void>
  onClose: () => void
}

/** Dialog that chooses the people who get the selected tickets in turn. */
export default function DistributeTickets({ count, onChoose, onClose }: Props) {
  const dialog = useDialog()
  const assignable = useAssignable()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [sending, setSending] = useState(false)
  async function distribute(): Promise<void> {
    setSending(true)
    await onChoose([...chosen])
    onClose()
  }
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Distribute ${ticketsText(count)}`} size="sm">
      <Checkbox.Group label="Among" value={chosen.map(String)} onChange={(ids) => setChosen(ids.map(Number))}>
        <ul className={classes.people}>
          {assignable.map((person) => (
            <li key={person.id}>
              <Checkbox value={String(person.id)} label={nameInChoice(person)} />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <div className={classes.foot}>
        <Soft as="span">{wordsOf(count, chosen.length)}</Soft>
        <Button disabled={chosen.length === 0} loading={sending} onClick={() => void distribute()}>
          Distribute
        </Button>
      </div>
    </Modal>
  )
}

/** Returns how many tickets each person gets. */
function wordsOf(tickets: number, people: number): string {
  if (people === 0) return 'Choose at least one person.'
  const least = Math.floor(tickets / people)
  return tickets % people === 0 ? `${ticketsText(least)} each` : `${least} or ${ticketsText(least + 1)} each`
}
