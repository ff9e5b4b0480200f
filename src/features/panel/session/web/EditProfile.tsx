import { useState, type ReactNode } from 'react'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isAdminRole, roleIds, roles } from '#shared/access.ts'
import { type Profile, staff } from '#features/admin/staff/contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { ProfileForm, profileMessages } from '#features/admin/staff/input.contract.ts'
import { PictureField } from '#features/panel/session/web/PictureField.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { fieldValues } from '#web/form/fieldValues.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { storeProfile, storeUserName, useViewer, type Person } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useDialog } from '#web/parts/useDialog.ts'

const { user_name, first_name, last_name, email, role_id } = staffFields
const profileFields = { user_name, first_name, last_name, email, role_id }

interface Props {
  /** ID of the admin user; omitted for the viewer's own profile. */
  id?: number
  onClose: () => void
}

/** Form for the viewer's own profile or, for roles 0 and 1, anyone's profile and role. */
export default function EditProfile({ id, onClose }: Props) {
  const viewer = useViewer()
  const profile = useQuery({
    ...queryOptionsFor(staff.list, { query: { id: id ?? viewer?.id } }),
    staleTime: 0,
    gcTime: 0,
  })
  const loaded = profile.data?.data
  if (viewer && loaded && !Array.isArray(loaded))
    return <ProfileModal profile={loaded} viewer={viewer} onClose={onClose} />
  return (
    <ProfileModalFrame onClose={onClose}>
      <Loaded query={profile}>{() => null}</Loaded>
    </ProfileModalFrame>
  )
}

function ProfileModalFrame({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Edit Profile" size="md">
      {children}
    </Modal>
  )
}

function ProfileModal({
  profile,
  viewer,
  onClose,
}: {
  profile: Profile
  viewer: Person
  onClose: () => void
}) {
  const isOwn = profile.id === viewer.id
  // The profile as it was when the form opened, even if it is refetched later.
  const [seenProfile] = useState(profile)
  const { send } = useSend(staff.update, { failure: 'throw' })
  const { announceAct } = useUndo()
  const adapt = <Sent extends object>(sent: Sent) => ({ ...sent, id: profile.id })
  const form = useFieldsForm({
    name: `profile-${profile.id}`,
    fields: profileFields,
    schema: ProfileForm,
    initial: fieldValues(profileFields, seenProfile),
    adapt,
    sayWhatIsMissing: (values) =>
      Object.values(values).some(isBlank) ? profileMessages.required : undefined,
    showFailure: (words) => toast.failure(words, { position: 'top-center' }),
    onSave: async (sent) => {
      const { user_name, first_name, last_name, email, role_id, version } = seenProfile
      const seen = { version, base: { user_name, first_name, last_name, email, role_id } }
      const reply = await send({ body: { ...adapt(sent), ...seen } })
      if (!reply) return
      if (isOwn) storeUserName(reply.data.user_name)
      if (isOwn) storeProfile({ first_name: reply.data.first_name, last_name: reply.data.last_name })
      announceAct(profileMessages.updated, reply.operation)
    },
    onSaved: onClose,
  })

  return (
    <FormModal title="Edit Profile" form={form} onClose={onClose}>
      {isOwn && <PictureField name={`${viewer.firstName} ${viewer.lastName}`} picture={viewer.avatar} />}
      <Field form={form} name="user_name" autoFocus />
      <Field form={form} name="first_name" half />
      <Field form={form} name="last_name" half />
      <Field form={form} name="email" />
      <Field
        form={form}
        name="role_id"
        options={roleOptions(viewer, profile)}
        disabled={whyNotRole(viewer, profile) !== undefined}
        description={whyNotRole(viewer, profile)}
      />
    </FormModal>
  )
}

/**
 * Returns the reason why the viewer cannot change the role; undefined if they can. The server enforces the
 * same rules (docs/spec-gaps.md G38).
 */
function whyNotRole(viewer: Person, profile: Profile): string | undefined {
  if (!isAdminRole(viewer.role_id)) return 'Only Super Admins and Admins can change roles.'
  if (profile.id === viewer.id) return 'You can’t change your own role.'
  return profile.role_id === 0 && viewer.role_id !== 0
    ? 'Only a Super Admin can change this role.'
    : undefined
}

const roleOptions = (viewer: Person, profile: Profile) =>
  roleIds
    .filter((id) => id !== 0 || viewer.role_id === 0 || profile.role_id === 0)
    .map((id) => ({ value: String(id), label: roles[id].name }))

const isBlank = (value: string): boolean => value.replaceAll(/\s/g, '') === ''
