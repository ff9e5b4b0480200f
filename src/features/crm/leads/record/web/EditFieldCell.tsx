import type { ReactNode } from 'react'
import type { FieldCellProps } from '#features/crm/leads/record/web/FieldCell.tsx'
import { useEditLead } from '#features/crm/leads/record/web/useEditLead.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { DayMenu } from '#web/dates/DayMenu.tsx'
import { toast } from '#web/message/toast.ts'
import { InPlace } from '#web/record/InPlace.tsx'

interface Props extends FieldCellProps {
  /** `Amount of Aalto Linen`. */
  label: string
  button: (props: object) => ReactNode
}

/** The menu or the input of a cell, which opens immediately. */
export default function EditFieldCell({ lead, name, shown, label, button }: Props) {
  const edit = useEditLead<typeof name>(lead)(name, name === 'amount' ? 'text' : 'day')
  if (!edit) return shown
  if (edit.kind === 'text')
    return <InPlace startsOpen fact={{ name: label, value: shown }} edit={edit} onFailure={toast.failure} />
  return (
    <DayMenu
      label={label}
      target={button}
      day={edit.value || null}
      mayRemove={edit.value !== '' && name !== 'lead_date'}
      onChoose={(day) =>
        void edit.save(day ?? '').catch((error: unknown) => toast.failure(errorMessageOf(error)))
      }
    />
  )
}
