package io.github.delayqueue.lostclaims;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.delayqueue.roles.ClaimedTokens;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/** Looks for tokens of claims in Redis. Public for wiring. */
public record RedisClaimedTokens(ScriptRunner scripts) implements ClaimedTokens {

	private static final Script CLAIMED = Script.reading(RedisClaimedTokens.class, "claimed.lua",
			"look for lost claims from", QueueKey.LEASES, QueueKey.DELIVERIES);

	/** Once, as a claim: who asks claims again anyway. */
	@Override
	public Map<String, String> claimedWith(String queue, Set<String> tokens) {
		ScriptCall call = this.scripts.call(CLAIMED, queue);
		tokens.forEach(call::add);
		return this.scripts.once(call, RedisClaimedTokens::tokens);
	}

	private static Map<String, String> tokens(List<?> reply) {
		Map<String, String> tokens = new LinkedHashMap<>();
		for (int i = 0; i < reply.size(); i += 2) {
			tokens.put(Replies.id(reply.get(i)), Replies.text(reply.get(i + 1)));
		}
		return tokens;
	}

}
