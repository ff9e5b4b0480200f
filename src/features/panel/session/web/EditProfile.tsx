import { useState, type ReactNode } from 'react'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isAdminRole, roleIds, roles } from '#shared/access.ts'
import { type Profile, staff } from '#features/admin/staff/contract.ts'
import { messages } from '#features/panel/session/contract.ts'
import { ProfileForm } from '#features/admin/staff/input.contract.ts'
import { PictureField } from '#features/panel/session/web/PictureField.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { storeProfile, storeUserName, useViewer, type Person } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useDialog } from '#web/parts/useDialog.ts'

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
  const { send } = useSend(staff.update, { refresh: [staff.list], failure: 'throw' })
  const { announceAct } = useUndo([staff.list])
  const form = useDraftForm({
    name: `profile-${profile.id}`,
    initial: {
      user_name: profile.user_name,
      first_name: profile.first_name,
      last_name: profile.last_name,
      email: profile.email,
      role_id: String(profile.role_id),
    },
    schema: ProfileForm,
    toSend: (values) => ({
      ...values,
      id: profile.id,
      role_id: values.role_id === '' ? undefined : Number(values.role_id),
    }),
    sayWhatIsMissing: (values) =>
      Object.values(values).some(isBlank) ? messages.profileRequired : undefined,
    showFailure: (words) => toast.failure(words, { position: 'top-center' }),
    onSave: async (values) => {
      const { user_name, first_name, last_name, email, role_id, version } = seenProfile
      const seen = { version, base: { user_name, first_name, last_name, email, role_id } }
      const reply = await send({
        body: { ...values, id: profile.id, role_id: Number(values.role_id), ...seen },
      })
      if (!reply) return
      if (isOwn) storeUserName(reply.data.user_name)
      if (isOwn) storeProfile({ first_name: reply.data.first_name, last_name: reply.data.last_name })
      announceAct(messages.profileUpdated, reply.operation)
    },
    onSaved: onClose,
  })
  const { fields } = form

  return (
    <FormModal title="Edit Profile" form={form} onClose={onClose}>
      {isOwn && <PictureField name={`${viewer.firstName} ${viewer.lastName}`} picture={viewer.avatar} />}
      <TextField form={fields} name="user_name" label="Username" required maxLength={60} autoFocus />
      <div data-half>
        <TextField form={fields} name="first_name" label="First name" required maxLength={80} />
      </div>
      <div data-half>
        <TextField form={fields} name="last_name" label="Last name" required maxLength={80} />
      </div>
      <TextField form={fields} name="email" label="Email" type="email" required maxLength={254} />
      <ChoiceField
        form={fields}
        name="role_id"
        label="Role"
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
