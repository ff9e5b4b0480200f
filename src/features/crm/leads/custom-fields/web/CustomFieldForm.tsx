import { useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { Button, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import {
  customFields,
  CustomFieldInput,
  type StoredCustomField,
} from '#features/crm/leads/custom-fields/contract.ts'
import {
  customFieldTypes,
  hasChoices,
  longestName,
  mostChoices,
  type ProposedField,
} from '#features/crm/leads/custom-fields.rules.ts'
import classes from '#features/crm/leads/custom-fields/web/customFields.module.css'
import { toastOf } from '#features/crm/leads/custom-fields/web/fieldChanges.ts'
import { useSend } from '#web/api/useSend.ts'
import { OrderedList } from '#web/board/OrderedList.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { countText } from '#web/time.ts'

interface ChoiceValue {
  id?: number
  name: string
}
interface Values {
  name: string
  type: StoredCustomField['type']
  choices: ChoiceValue[]
}

interface Props {
  product_id: number
  /** The field to edit; if omitted, the form adds one. */
  field?: StoredCustomField | undefined
  /** The new field that a column of a file proposes; `draft` is the name of the draft. */
  proposed?: (ProposedField & { name: string; draft: string }) | undefined
  onCreated?: (id: number) => void
  onClose: () => void
}

const valuesOf = ({ field, proposed }: Props): Values =>
  proposed
    ? { name: proposed.name, type: proposed.type, choices: choicesFor(proposed.type, proposed) }
    : {
        name: field?.name ?? '',
        type: field?.type ?? 'text',
        choices: (field?.choices ?? [])
          .filter((one) => !one.is_removed)
          .map(({ id, name }) => ({ id, name })),
      }

/** Returns the choices that a column proposes for a field of a type. */
const choicesFor = (type: Values['type'], proposed: ProposedField): ChoiceValue[] =>
  hasChoices(type) ? proposed[type].names.map((name) => ({ name })) : []

/** Choices that were left empty are not sent, and neither are those of a type that has none. */
const toSend = ({ name, type, choices }: Values) => ({
  name,
  type,
  choices: hasChoices(type) ? choices.filter((one) => one.name.trim() !== '') : [],
})

/** Form for a custom field. */
export default function CustomFieldForm(props: Props) {
  const { product_id, field, proposed, onCreated, onClose } = props
  const options = { failure: 'throw' } as const
  const { send: add } = useSend(customFields.add, options)
  const { send: change } = useSend(customFields.change, options)

  async function create(body: CustomFieldInput): Promise<void> {
    const reply = await add({ params: { product_id }, body })
    toastOf(reply)
    if (reply) onCreated?.(Math.max(...reply.data.map(({ id }) => id)))
  }

  const form = useDraftForm<Values>({
    name: field ? `custom-field-${field.id}` : (proposed?.draft ?? `custom-field-of-${product_id}`),
    initial: valuesOf(props),
    schema: CustomFieldInput,
    toSend,
    onSave: async (values) => {
      const { type, ...body } = toSend(values)
      if (!field) return create({ ...body, type })
      const choices = hasChoices(type) ? { choices: body.choices } : {}
      toastOf(
        await change({
          params: { product_id, id: field.id },
          body: { name: body.name, ...choices, version: field.version },
        }),
      )
    },
    onSaved: onClose,
  })
  const { fields } = form
  const { type } = fields.values
  return (
    <FormModal
      title={field ? field.name : 'New field'}
      form={form}
      onClose={onClose}
      saveLabel={field ? 'Save field' : 'Create field'}
      side="right"
      size={480}
    >
      <TextField form={fields} name="name" label="Name" required maxLength={longestName} autoFocus />
      <ChoiceField
        form={fields}
        name="type"
        label="Type"
        disabled={field !== undefined}
        description={field ? 'The type of a field can’t be changed.' : undefined}
        options={Object.entries(customFieldTypes).map(([value, label]) => ({ value, label }))}
        onChosen={() => proposed && fillChoices(fields, proposed)}
      />
      {hasChoices(type) && <Choices fields={fields} />}
      {proposed && <LeftOut type={type} proposed={proposed} />}
    </FormModal>
  )
}

/** Fills in the choices for the chosen type, unless the user has changed those of another type. */
function fillChoices(fields: DraftForm<Values>['fields'], proposed: ProposedField): void {
  const { type, choices } = fields.getValues()
  const asProposed = (['text', 'choice', 'choices'] as const).map((one) => choicesFor(one, proposed))
  if (hasChoices(type) && asProposed.some((one) => JSON.stringify(one) === JSON.stringify(choices)))
    fields.setFieldValue('choices', choicesFor(type, proposed))
}

/** Says that the column has values that aren’t among the choices. */
function LeftOut({ type, proposed }: { type: Values['type']; proposed: ProposedField }) {
  if (!hasChoices(type)) return null
  const { names, count } = proposed[type]
  if (count === names.length) return null
  return (
    <Soft small>
      The column has {countText(count)} different values. A field can have up to {mostChoices} choices, each
      with up to {longestName} characters. Rows with any other value can’t be imported.
    </Soft>
  )
}

/** The choices in their order, each with its name. Enter adds one, and pasted lines become one each. */
function Choices({ fields }: { fields: DraftForm<Values>['fields'] }) {
  const { choices } = fields.values
  const [isAdding, setAdding] = useState(false)
  const error = fields.errors['choices']
  const set = (next: ChoiceValue[]) => {
    fields.setFieldValue('choices', next)
    fields.clearFieldError('choices')
  }
  const move = (choice: ChoiceValue, before: ChoiceValue | undefined) => {
    const rest = choices.filter((one) => one !== choice)
    set(rest.toSpliced(before ? rest.indexOf(before) : rest.length, 0, choice))
    return Promise.resolve(true)
  }
  const add = () => {
    setAdding(true)
    set([...choices, { name: '' }])
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  const paste = (event: ClipboardEvent, at: number) => {
    const lines = event.clipboardData.getData('text').split(/\r?\n/)
    const names = lines.map((line) => line.trim()).filter(Boolean)
    if (names.length < 2) return
    event.preventDefault()
    const before = choices.slice(0, at + 1).filter((one, index) => index < at || one.name !== '')
    set([...before, ...names.map((name) => ({ name })), ...choices.slice(at + 1)])
  }
  return (
    <section className={classes.choicesOfForm} aria-label="Choices" data-path="choices">
      <h3>Choices</h3>
      <OrderedList
        label="Choices"
        entries={choices}
        keyOf={(choice) => String(choices.indexOf(choice))}
        nameOf={({ name }) => name || 'a new choice'}
        onMove={move}
      >
        {(choice) => {
          const at = choices.indexOf(choice)
          const path = `choices.${at}.name`
          return (
            <>
              <TextInput
                className={classes.choice}
                aria-label={`Choice ${at + 1}`}
                maxLength={longestName}
                autoFocus={isAdding && at === choices.length - 1}
                onKeyDown={addOnEnter}
                onPaste={(event) => paste(event, at)}
                {...fields.getInputProps(path)}
                data-path={path}
              />
              <IconButton
                label={`Remove ${choice.name || 'a new choice'}`}
                bare
                onClick={() => set(choices.filter((one) => one !== choice))}
              >
                <IconX size={16} aria-hidden />
              </IconButton>
            </>
          )
        }}
      </OrderedList>
      <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        Add choice
      </Button>
      {error && (
        <p role="alert" className={classes.wrong}>
          {error}
        </p>
      )}
    </section>
  )
}
