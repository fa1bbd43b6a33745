"""Writing and deleting a lot with what the SDK has for that."""


def count(collection):
    return collection.count().get()[0][0].value


def test_bulk_writer(client):
    posts = client.collection("posts")
    posts.document("0").set({"n": "old"})
    writer = client.bulk_writer()
    for number in range(300):
        writer.set(posts.document(str(number)), {"n": number})
    for number in range(300, 400):
        writer.create(posts.document(str(number)), {"n": number})
    writer.close()
    assert count(posts) == 400
    assert {found.get("n") for found in posts.stream()} == set(range(400))


def test_recursive_delete(client):
    posts = client.collection("posts")
    for number in range(30):
        posts.document(str(number)).set({"n": number})
        posts.document(str(number)).collection("comments").document("一").set({"text": "댓글"})
    client.document("users/a/comments/b").set({})
    assert client.recursive_delete(posts) == 60
    assert count(posts) == 0 and [found.id for found in client.collections()] == ["users"]
    assert len(list(client.collection_group("comments").stream())) == 1
