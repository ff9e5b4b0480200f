import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import type { Clash } from '#features/crm/leads/contract.ts'
import { FieldChoices } from '#features/crm/leads/record/web/FieldChoices.tsx'
import classes from '#features/crm/leads/operations/web/operations.module.css'
import { useFocusBack } from '#web/shell/useFocusBack.ts'

interface Props {
  company: string
  clashes: readonly Clash[]
  /** The fields of which the value that is stored stays; undefined when the person gives up. */
  onChosen: (theirs: readonly string[] | undefined) => void
}

/** Somebody else changed the same fields meanwhile: both values, and the person chooses. */
export default function ConflictDialog({ company, clashes, onChosen }: Props) {
  useFocusBack()
  const [theirs, setTheirs] = useState<readonly string[]>([])
  return (
    <Modal opened onClose={() => onChosen(undefined)} title={`${company} was changed meanwhile`} size="lg" zIndex={300} closeOnClickOutside={false}>
      <div className={classes.dialog}>
        <p className={classes.explain}>Somebody saved other values while you were editing. Choose which to keep; everything else is merged.</p>
        <FieldChoices
          label="Changed by both of you"
          names={['Yours', 'Saved meanwhile']}
          fields={clashes.map(({ field, yours, theirs: saved }) => ({ field, values: [yours, saved] }))}
          second={theirs}
          onChoose={(field, second) => setTheirs(second ? [...theirs, field] : theirs.filter((one) => one !== field))}
        />
        <footer className={classes.actions}>
          <Button variant="default" onClick={() => onChosen(undefined)}>
            Go on editing
          </Button>
          <Button data-autofocus onClick={() => onChosen(theirs)}>
            Save
          </Button>
        </footer>
      </div>
    </Modal>
  )
}
