/** Name of the draft of a call that isn't logged yet. */
export const callDraft = (lead_id: number | '') => `lead-call-${lead_id}`
