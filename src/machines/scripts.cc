#include "machines/scripts.h"

namespace heddle::machines {

// What needs memory comes first: a server that is full refuses a script there, as a whole.
const Script kBeginRound = {"begin", R"lua(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'round') == ARGV[2] then return 1 end
redis.call('SET', KEYS[4], ARGV[3])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9])
redis.call('XGROUP', 'CREATE', KEYS[2], 'workers', '0', 'MKSTREAM')
for i = 7, #ARGV do
  redis.call('XADD', KEYS[2], '*', 'n', ARGV[6], 's', ARGV[i])
end
redis.call('HSET', KEYS[1], 'round', ARGV[2], 'stage', ARGV[4], 'racing', ARGV[5],
           'made', #ARGV - 6, 'done', 0, 'bytes', 0)
return 1
)lua"};

const Script kGrant = {"grant", R"lua(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'left', ARGV[2], 'state', 'running')
redis.call('DEL', KEYS[2])
return 1
)lua"};

const Script kTake = {"take", R"lua(
local info = redis.call('HMGET', KEYS[1], 'state', 'round', 'left', 'limit', 'bytes', 'looked')
if not info[1] then return {'gone'} end
if info[1] ~= 'running' then return {'stopped'} end
if info[2] ~= ARGV[2] then return {'round'} end
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[3], now, ARGV[4])
if tonumber(info[5]) > tonumber(info[4]) then return {'full'} end
local left = tonumber(info[3])
if left == 0 then return {'spent'} end
local entry
if now ~= tonumber(info[6] or 0) then
  local lost = tostring(math.floor(tonumber(ARGV[3]) * 1000))
  local idle = redis.call('XPENDING', KEYS[2], 'workers', 'IDLE', lost, '-', '+', 1)
  if idle[1] then
    entry = redis.call('XCLAIM', KEYS[2], 'workers', ARGV[1], lost, idle[1][1])[1]
  end
  if not entry then redis.call('HSET', KEYS[1], 'looked', now) end
end
if not entry then
  local new = redis.call('XREADGROUP', 'GROUP', 'workers', ARGV[1], 'COUNT', 1, 'STREAMS', KEYS[2], '>')
  entry = new and new[1] and new[1][2][1]
end
if not entry then return {'nothing'} end
local number = tonumber(entry[2][2])
if left > 0 then
  local mine = tonumber(redis.call('HGET', KEYS[4], entry[1]) or -1)
  if mine < 0 then
    mine = math.min(number, left)
    redis.call('HSET', KEYS[4], entry[1], mine)
    redis.call('HINCRBY', KEYS[1], 'left', -mine)
  end
  number = mine
end
return {'task', entry[1], entry[2][4], number, redis.call('XLEN', KEYS[2]), redis.call('ZCARD', KEYS[3]),
        redis.call('SCARD', KEYS[5])}
)lua"};

const Script kFinish = {"finish", R"lua(
local info = redis.call('HMGET', KEYS[1], 'round', 'left')
if info[1] ~= ARGV[2] then return 0 end
local ours = redis.call('XPENDING', KEYS[2], 'workers', ARGV[1], ARGV[1], 1)
if not ours[1] then return 0 end
redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[4])
redis.call('XADD', KEYS[3], '*', 'r', ARGV[4])
redis.call('XACK', KEYS[2], 'workers', ARGV[1])
redis.call('XDEL', KEYS[2], ARGV[1])
local count = tonumber(ARGV[6])
for i = 7, 6 + count do redis.call('XADD', KEYS[2], '*', 'n', ARGV[5], 's', ARGV[i]) end
for i = 7 + count, #ARGV do redis.call('SADD', KEYS[4], ARGV[i]) end
local left, made = tonumber(info[2]), tonumber(ARGV[3])
local mine = redis.call('HGET', KEYS[5], ARGV[1])
if mine then
  redis.call('HDEL', KEYS[5], ARGV[1])
  redis.call('HINCRBY', KEYS[1], 'left', tonumber(mine) - made)
elseif left > 0 then
  redis.call('HINCRBY', KEYS[1], 'left', -math.min(made, left))
end
redis.call('HINCRBY', KEYS[1], 'made', count)
redis.call('HINCRBY', KEYS[1], 'done', 1)
return 1
)lua"};

const Script kBeat = {"beat", R"lua(
local info = redis.call('HMGET', KEYS[1], 'state', 'round')
if not info[1] then return 'gone' end
if info[1] ~= 'running' then return 'stopped' end
if info[2] ~= ARGV[2] then return 'round' end
redis.call('ZADD', KEYS[3], redis.call('TIME')[1], ARGV[4])
local ours = redis.call('XPENDING', KEYS[2], 'workers', ARGV[3], ARGV[3], 1)
if not ours[1] or ours[1][2] ~= ARGV[1] then return 'lost' end
redis.call('XCLAIM', KEYS[2], 'workers', ARGV[1], 0, ARGV[3], 'JUSTID')
return 'ours'
)lua"};

const Script kGiveBack = {"give back", R"lua(
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local ours = redis.call('XPENDING', KEYS[1], 'workers', ARGV[2], ARGV[2], 1)
if not ours[1] or ours[1][2] ~= ARGV[1] then return 0 end
redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[2], 'IDLE', 1000000000, 'JUSTID')
return 1
)lua"};

const Script kKeep = {"keep", R"lua(
local info = redis.call('HMGET', KEYS[1], 'epoch', 'round', 'kept')
if info[1] ~= ARGV[1] or info[2] ~= ARGV[2] then return 0 end
if info[3] == ARGV[2] .. ' ' .. ARGV[3] then return 1 end
redis.call('SET', KEYS[3], ARGV[5])
redis.call('HSET', KEYS[1], 'kept', ARGV[2] .. ' ' .. ARGV[3])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[3])
redis.call('HINCRBY', KEYS[1], 'bytes', -tonumber(ARGV[4]))
return 1
)lua"};

const Script kLook = {"look", R"lua(
local info = redis.call('HMGET', KEYS[1], 'made', 'done', 'left', 'epoch')
local since = tonumber(redis.call('TIME')[1]) - math.ceil(tonumber(ARGV[1]))
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', since)
return {redis.call('XLEN', KEYS[2]), info[1] or 0, info[2] or 0, redis.call('ZRANGE', KEYS[3], 0, -1),
        info[3] or 0, info[4] or 0}
)lua"};

}  // namespace heddle::machines
