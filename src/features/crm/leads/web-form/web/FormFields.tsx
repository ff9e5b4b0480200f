import { Button, Checkbox, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { FormField } from '#features/crm/leads/web-form/contract.ts'
import { formFieldNames, formFields } from '#features/crm/leads/web-form/rules.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import type { WebFormFields } from '#features/crm/leads/web-form/web/webFormValues.ts'
import { OrderedList } from '#web/board/OrderedList.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

/** The fields of a form in the order of its page. */
export function FormFields({ fields: form }: { fields: WebFormFields }) {
  const { fields } = form.values
  const error = form.errors['fields']
  const set = (next: FormField[]) => {
    form.setFieldValue('fields', next)
    form.clearFieldError('fields')
  }
  const move = (field: FormField, before: FormField | undefined) => {
    const rest = fields.filter((one) => one !== field)
    set(rest.toSpliced(before ? rest.indexOf(before) : rest.length, 0, field))
    return Promise.resolve(true)
  }
  return (
    <section className={classes.part} aria-label="Fields" data-path="fields">
      <header>
        <h2>
          Fields <span className={classes.count}>{fields.length}</span>
        </h2>
        <AddField fields={fields} onAdd={(field) => set([...fields, field])} />
      </header>
      <OrderedList
        label="Fields"
        entries={fields}
        keyOf={({ field }) => field}
        nameOf={({ field }) => formFields[field].label}
        onMove={move}
      >
        {(field) => (
          <Entry
            form={form}
            field={field}
            index={fields.indexOf(field)}
            onRemove={() => set(fields.filter((one) => one !== field))}
          />
        )}
      </OrderedList>
      {error && (
        <p role="alert" className={classes.wrong}>
          {error}
        </p>
      )}
    </section>
  )
}

interface EntryProps {
  form: WebFormFields
  field: FormField
  index: number
  onRemove: () => void
}

/** One field, with its label, and whether visitors must fill it in. Without an email address, no one can answer. */
function Entry({ form, field: { field }, index, onRemove }: EntryProps) {
  const { label } = formFields[field]
  const path = `fields.${index}.label`
  const isFixed = field === 'email'
  return (
    <div className={classes.entry}>
      <TextInput
        className={classes.name}
        aria-label={`Label of ${label}`}
        description={field === 'message' ? 'Becomes the first note' : label}
        inputWrapperOrder={['input', 'description', 'error']}
        maxLength={100}
        {...form.getInputProps(path)}
        data-path={path}
      />
      <Checkbox
        label="Required"
        aria-label={`Require ${label}`}
        disabled={isFixed}
        title={isFixed ? 'The email address is always required.' : undefined}
        {...form.getInputProps(`fields.${index}.required`, { type: 'checkbox' })}
      />
      <IconButton
        label={isFixed ? 'The email address can’t be removed' : `Remove ${label}`}
        bare
        disabled={isFixed}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

function AddField({ fields, onAdd }: { fields: readonly FormField[]; onAdd: (field: FormField) => void }) {
  const menu = useMenuButton()
  const missing = formFieldNames.filter((name) => fields.every(({ field }) => field !== name))
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={missing.length === 0}
        title={missing.length === 0 ? 'The form has all fields.' : undefined}
        {...menu.props}
      >
        Add field
      </Button>
      {menu.wanted && (
        <Menu {...menu.at} label="Add field" end>
          {missing.map((field) => (
            <MenuItem
              key={field}
              onClick={() =>
                onAdd({
                  field,
                  label: field === 'message' ? 'Message' : formFields[field].label,
                  required: field === 'email',
                })
              }
            >
              {formFields[field].label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
