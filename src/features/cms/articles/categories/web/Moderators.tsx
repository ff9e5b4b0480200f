import { useState } from 'react'
import { MultiSelect } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useQuery } from '@tanstack/react-query'
import {
  categories,
  Moderation,
  type CategoryKind,
  type CategoryRow,
} from '#features/cms/articles/categories/contract.ts'
import { recordTypes } from '#shared/records.ts'
import { keepEnter } from '#web/form/keepEnter.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  kind: CategoryKind
  category: CategoryRow
  onClose: () => void
}

/** Form for a category's moderators, who can publish its content and move it to the trash. */
export default function Moderators(props: Props) {
  const { kind, category, onClose } = props
  const { moderators } = categories[kind]
  const query = useQuery(queryOptionsFor(moderators, { params: { id: String(category.id) } }))
  return (
    <LoadedInModal query={query} title={`Moderators of ${category.title}`} onClose={onClose}>
      {({ data }) => <ModeratorsForm {...props} stored={data.map(({ id }) => id)} />}
    </LoadedInModal>
  )
}

/** What moderators can do with the content of a category, besides publishing it. */
const powers = {
  post: 'move them to trash, and moderate their comments',
  faq: 'and move them to trash',
} as const satisfies Record<CategoryKind, string>

function ModeratorsForm({ kind, category, onClose, stored }: Props & { stored: readonly number[] }) {
  const { setModerators } = categories[kind]
  const { many } = recordTypes[kind]
  const staff = useStaff(category.product_id)
  const [isOpen, setOpen] = useState(false)
  const params = { id: String(category.id) }
  const { send } = useSend(setModerators, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(setModerators, { params, body: { staff_ids: [] } })
  const toSend = ({ staff_ids }: { staff_ids: string[] }) => ({ staff_ids: staff_ids.map(Number) })
  const form = useDraftForm({
    name: `${many}-moderators-${category.id}`,
    initial: { staff_ids: stored.map(String) },
    schema: Moderation,
    toSend,
    onSave: async (values) => {
      const reply = await send({ params, body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Moderators of ${category.title}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
    >
      <MultiSelect
        label="Moderators"
        description={`Moderators can edit this category, publish its ${many}, ${powers[kind]}.`}
        data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...keepEnter}
        searchable
        data-autofocus
        openOnFocus={false}
        dropdownOpened={isOpen}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        // Otherwise the list stays open over the Save button.
        onOptionSubmit={() => setOpen(false)}
        {...form.fields.getInputProps('staff_ids')}
      />
    </FormModal>
  )
}
