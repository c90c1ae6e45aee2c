-- What has ended stays ended when the clock is behind after a restart.

-- When an invitation was first seen past its end.
ALTER TABLE invitations ADD COLUMN expired_at INTEGER;

-- The end of the schedule that was seen past; another end opens the share again.
ALTER TABLE shares ADD COLUMN expired_end INTEGER;

-- JWTs from before a renewal that end before this have ended.
ALTER TABLE sessions ADD COLUMN ended_before INTEGER;

-- A browser has sent its session, which the API took, to every server on the same host. People sign in once more.
DELETE FROM sessions;
