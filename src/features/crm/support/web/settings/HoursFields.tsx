import type { ReactNode } from 'react'
import { Button, Checkbox, TextInput } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Values } from '#features/crm/support/web/settings/targetForm.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { DateField } from '#web/dates/DateField.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  form: DraftForm<Values>
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The working hours of each day of the week, and whether a target pauses while a ticket waits. */
export function HoursTable({ form: { fields }, children }: Props & { children: ReactNode }) {
  const at = (path: string) => ({ ...fields.getInputProps(path), 'data-path': path })
  return (
    <section className={classes.card} aria-labelledby="working-hours">
      <h2 id="working-hours">Working hours</h2>
      <Soft as="p">Leave both times of a day off empty.</Soft>
      {children}
      <div className={classes.scroll}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {dayNames.map((name, index) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <TextInput
                    aria-label={`${name} from`}
                    placeholder="Off"
                    maxLength={5}
                    {...at(`days.${index}.from`)}
                  />
                </td>
                <td>
                  <TextInput
                    aria-label={`${name} to`}
                    placeholder="Off"
                    maxLength={5}
                    {...at(`days.${index}.to`)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <TextInput
        label="Remind the assignee when this much of the time is used, in percent"
        placeholder="No reminder"
        maxLength={2}
        {...at('reminder_percent')}
      />
      <Checkbox
        label="Pause the resolution while waiting on the customer"
        checked={fields.getValues().pauses_while_waiting === '1'}
        onChange={({ currentTarget }) =>
          fields.setFieldValue('pauses_while_waiting', currentTarget.checked ? '1' : '0')
        }
      />
    </section>
  )
}

/** Days without work. */
export function Holidays({ form: { fields } }: Props) {
  const { holidays } = fields.getValues()
  return (
    <section className={classes.card} aria-labelledby="holidays">
      <h2 id="holidays">Holidays</h2>
      <div className={classes.holidays}>
        {holidays.map((_day, index) => {
          const path = `holidays.${index}`
          const { value, error, onChange } = fields.getInputProps(path)
          return (
            <div key={index}>
              <DateField
                label={`Holiday ${index + 1}`}
                data-path={path}
                value={value as string}
                error={error}
                onChange={onChange as (day: string) => void}
              />
              <IconButton
                bare
                label={`Remove holiday ${index + 1}`}
                onClick={() => fields.removeListItem('holidays', index)}
              >
                <IconX size={15} aria-hidden />
              </IconButton>
            </div>
          )
        })}
        <Button variant="default" size="xs" onClick={() => fields.insertListItem('holidays', '')}>
          Add holiday
        </Button>
      </div>
    </section>
  )
}
