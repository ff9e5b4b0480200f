import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import type { Clash } from '#shared/record.contract.ts'
import { useFileRefs } from '#web/files/useFileRefs.ts'
import { fileFields, type RecordFields } from '#web/record/fieldWords.ts'
import { FieldChoices } from '#web/record/FieldChoices.tsx'
import classes from '#web/record/record.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  /** Name of the record, as users know it. */
  name: string
  words: RecordFields
  clashes: readonly Clash[]
  /** Called with the fields that keep their stored value, or with undefined if the user cancels. */
  onChosen: (theirs: readonly string[] | undefined) => void
}

/** Dialog for fields that someone else has also changed: the user chooses between the two values. */
export default function ConflictDialog({ name, words, clashes, onChosen }: Props) {
  const dialog = useDialog()
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const nameFiles = useFileNames(clashes)
  return (
    <Modal
      {...dialog}
      opened
      onClose={() => onChosen(undefined)}
      title={`Someone else changed ${name}`}
      size="lg"
      zIndex={300}
      closeOnClickOutside={false}
    >
      <div className={classes.dialog}>
        <p className={classes.explain}>
          {`${authorsOf(clashes)} saved different values while you were editing. Choose which to keep. Everything else is merged automatically.`}
        </p>
        <FieldChoices
          label="Conflicting changes"
          names={['Your version', 'Saved version']}
          words={words}
          fields={clashes.map(({ field, yours, theirs: saved }) => ({
            field,
            values: [nameFiles(field, yours), nameFiles(field, saved)],
          }))}
          second={theirs}
          onChoose={(field, second) =>
            setTheirs(second ? [...theirs, field] : theirs.filter((one) => one !== field))
          }
        />
        <footer className={classes.actions}>
          <Button variant="default" onClick={() => onChosen(undefined)}>
            Keep editing
          </Button>
          <Button data-autofocus onClick={() => onChosen(theirs)}>
            Save
          </Button>
        </footer>
      </div>
    </Modal>
  )
}

/** Names those who changed the fields, if all are known. */
function authorsOf(clashes: readonly Clash[]): string {
  const names = new Set(clashes.map(({ who }) => who))
  return names.has(undefined) ? 'Someone' : [...names].join(' and ')
}

const isId = (value: unknown): value is number => typeof value === 'number'
const filesIn = (field: string, value: unknown): unknown[] =>
  fileFields.includes(field) && Array.isArray(value) ? value : []

/**
 * Returns a function that replaces a field's file IDs with file names; values sent by the server already
 * contain names.
 */
function useFileNames(clashes: readonly Clash[]): (field: string, value: unknown) => unknown {
  const refs = useFileRefs(
    clashes.flatMap(({ field, yours, theirs }) =>
      [...filesIn(field, yours), ...filesIn(field, theirs)].filter(isId),
    ),
  )
  return (field, value) =>
    filesIn(field, value).length
      ? filesIn(field, value).map((one) => (isId(one) ? (refs.get(one)?.name ?? `file ${one}`) : one))
      : value
}
