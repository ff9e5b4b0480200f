import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { inputsOf, type Fields } from '#shared/field.ts'
import { emptyIsNull, flag, plainDay, recordId, requiredText } from '#shared/schemas.ts'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { ApiError } from '#web/api/errors.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { toast } from '#web/message/toast.ts'

const fields = {
  title: { label: 'Title', input: requiredText(200), empty: '' },
  due_on: { label: 'Due date', input: emptyIsNull(plainDay), empty: '' },
  person: { label: 'Assignee', input: recordId, empty: '2' },
  urgent: { label: 'Urgent', input: flag, empty: false },
  created_at: { label: 'Created' },
} as const satisfies Fields

const people = [
  { value: '2', label: 'Ada' },
  { value: '3', label: 'Bo' },
]
const stored = { id: 7, version: 4, title: 'Press', due_on: null, person: 3, urgent: 0 }

interface Props extends Pick<Parameters<typeof useRecordForm<typeof fields>>[0], 'adapt' | 'savedMessage'> {
  record?: typeof stored
  create?: (body: object) => Promise<{ message: string }>
  update?: (body: object) => Promise<{ message: string }>
  onSaved?: () => void
}

function Form({ record, create, update, onSaved, ...options }: Props) {
  const form = useRecordForm({
    name: record ? 'sample-7' : 'sample-new',
    fields,
    schema: z.object(inputsOf(fields)).partial(),
    record,
    title: 'Press',
    ...(create ? { create } : {}),
    ...(update ? { update } : {}),
    ...options,
    onSaved,
  })
  return (
    <FormModal title="Sample" form={form} onClose={() => {}}>
      <Field form={form} name="title" />
      <Field form={form} name="due_on" half />
      <Field form={form} name="person" options={people} />
      <Field form={form} name="urgent" />
    </FormModal>
  )
}

const show = (props: Props) => {
  signIn([])
  return renderPage(() => <Form {...props} />)
}
const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

test('a new record is created with what was entered and the declared values of the rest', async () => {
  const create = vi.fn(async () => ({ message: 'Created.' }))
  const onSaved = vi.fn()
  await show({ create, onSaved })
  type(/^Title/, 'Two presses')
  save()
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(create).toHaveBeenCalledWith({ title: 'Two presses', due_on: null, person: 2, urgent: 0 })
})

test('an empty required field says so, and nothing is sent', async () => {
  const create = vi.fn(async () => ({ message: 'Created.' }))
  await show({ create })
  save()
  await screen.findByText('This field is required.')
  expect(create).not.toHaveBeenCalled()
})

test('a field that the body leaves out is neither checked nor sent', async () => {
  const create = vi.fn(async () => ({ message: 'Created.' }))
  await show({ create, adapt: ({ title: _, ...sent }) => sent })
  save()
  await waitFor(() => expect(create).toHaveBeenCalledExactlyOnceWith({ due_on: null, person: 2, urgent: 0 }))
})

test('a form with its own message shows it after each save, and offers no undo in it', async () => {
  const success = vi.spyOn(toast, 'success').mockImplementation(() => {})
  const update = vi.fn(async () => ({ message: 'Updated.', operation: { id: 3 } }))
  const onSaved = vi.fn()
  await show({ record: stored, update, onSaved, savedMessage: ({ title }) => `${title} saved.` })
  save()
  await waitFor(() => expect(success).toHaveBeenCalledExactlyOnceWith('Press saved.'))
  type(/^Title/, 'Mill')
  save()
  await waitFor(() => expect(success).toHaveBeenLastCalledWith('Mill saved.'))
  expect([success.mock.calls.length, update.mock.calls.length]).toEqual([2, 1])
})

test('the inputs have the label, the required mark, and the length of the declaration', async () => {
  await show({})
  const title = screen.getByLabelText<HTMLInputElement>(/^Title/)
  expect([title.required, title.maxLength]).toEqual([true, 200])
  expect(screen.getByLabelText<HTMLInputElement>(/^Due date/).required).toBe(false)
  expect(screen.getByLabelText<HTMLInputElement>('Urgent').type).toBe('checkbox')
})

test('of a stored record only what has changed is saved, with the version and the values that the user saw', async () => {
  const update = vi.fn(async () => ({ message: 'Saved.' }))
  await show({ record: stored, update })
  type(/^Assignee/, '2')
  fireEvent.click(screen.getByLabelText('Urgent'))
  save()
  await waitFor(() => expect(update).toHaveBeenCalledOnce())
  expect(update).toHaveBeenCalledWith({
    person: 2,
    urgent: 1,
    version: 4,
    base: { person: 3, urgent: 0 },
  })
})

test('if someone else has changed the same field, the form asks which value to keep', async () => {
  const clashes = [{ field: 'title', yours: 'Mine', theirs: 'Theirs' }]
  const current = { ...stored, version: 5, title: 'Theirs' }
  const update = vi
    .fn(async () => ({ message: 'Saved.' }))
    .mockRejectedValueOnce(new ApiError(409, { message: 'Changed.', clashes, current }))
  await show({ record: stored, update })
  type(/^Title/, 'Mine')
  save()
  await screen.findByText('Theirs')
  fireEvent.click(screen.getAllByRole('button', { name: 'Save' }).at(-1)!)
  await waitFor(() => expect(update).toHaveBeenCalledTimes(2))
  expect(update).toHaveBeenLastCalledWith({ title: 'Mine', version: 5, base: { title: 'Theirs' } })
})

test('an error of the server is shown at its field', async () => {
  const update = vi.fn(async () => {
    throw new ApiError(422, { message: 'Invalid.', errors: { title: ['This title is taken.'] } })
  })
  await show({ record: stored, update })
  type(/^Title/, 'Mine')
  save()
  await screen.findByText('This title is taken.')
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Mine')
})
